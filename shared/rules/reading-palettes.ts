import { declarationsOf, type Palette, type Scheme } from './design-tokens.ts'
import type { ReadingScheme } from './reading-choices.ts'

type Colours = { ground: string; ink: string; tint: string; hover: string; focus: string }

/** Two colours and the related ones; a test checks that every pair has at least 7 : 1. */
const COLOURS: Record<ReadingScheme, Colours> = {
  'black-on-white': { ground: '#ffffff', ink: '#000000', tint: '#dcdcdc', hover: '#333333', focus: '#0040b0' },
  'white-on-black': { ground: '#000000', ink: '#ffffff', tint: '#333333', hover: '#d0d0d0', focus: '#ffe600' },
  'yellow-on-black': { ground: '#000000', ink: '#ffff00', tint: '#333300', hover: '#d6d600', focus: '#ffffff' },
  'yellow-on-blue': { ground: '#00006e', ink: '#ffff00', tint: '#10109a', hover: '#e0e000', focus: '#ffffff' },
}

/** The browser's colour scheme for native controls. */
export const READING_BASE: Record<ReadingScheme, Scheme> = {
  'black-on-white': 'light',
  'white-on-black': 'dark',
  'yellow-on-black': 'dark',
  'yellow-on-blue': 'dark',
}

export function readingPalette(scheme: ReadingScheme): Palette {
  const { ground, ink, tint, hover, focus } = COLOURS[scheme]
  return {
    ground,
    card: ground,
    ink,
    muted: ink,
    primary: ink,
    primaryHover: hover,
    onPrimary: ground,
    tint,
    fieldBorder: ink,
    hairline: ink,
    danger: ink,
    dangerTint: ground,
    well: ink,
    wellTint: ground,
    caution: ink,
    cautionTint: ground,
    focus,
    brick: ink,
  }
}

/** The schemes as custom properties, overriding light and dark, and themes. */
export const readingStyles = (): string =>
  (Object.keys(COLOURS) as ReadingScheme[])
    .map((scheme) => {
      const palette = readingPalette(scheme)
      const sky = { skyTop: palette.ground, skyLow: palette.ground, skyInk: palette.ink, brand: palette.ink }
      return `:root[data-reading-contrast=${scheme}]:root:root{${declarationsOf({ ...palette, ...sky })}color-scheme:${READING_BASE[scheme]}}`
    })
    .join('\n')
