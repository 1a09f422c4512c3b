import { expect, test } from 'vitest'
import { contrast } from './contrast.ts'
import { PALETTES, type Palette, SCENES, type Scheme } from './design-tokens.ts'

const SCHEMES: Scheme[] = ['light', 'dark']

const TEXT: [keyof Palette, keyof Palette][] = [
  ...(['ink', 'muted', 'primary', 'danger', 'well', 'caution'] as const).flatMap((text) =>
    (['card', 'ground'] as const).map((on): [keyof Palette, keyof Palette] => [text, on]),
  ),
  ['onPrimary', 'primary'],
  ['onPrimary', 'primaryHover'],
  ['primary', 'tint'],
  ['ink', 'tint'],
  ['muted', 'tint'],
  ['danger', 'dangerTint'],
  ['well', 'wellTint'],
  ['caution', 'cautionTint'],
]

test.each(SCHEMES)('text of the %s scheme has a contrast of 4.5 on every ground it stands on', (scheme) => {
  const palette = PALETTES[scheme]
  for (const [text, on] of TEXT) {
    expect(contrast(palette[text], palette[on]), `${text} on ${on}`).toBeGreaterThanOrEqual(4.5)
  }
})

test.each(SCHEMES)('field borders and the focus line of the %s scheme have a contrast of 3', (scheme) => {
  const { fieldBorder, primary, card, focus } = PALETTES[scheme]
  expect(contrast(fieldBorder, card)).toBeGreaterThanOrEqual(3)
  expect(contrast(primary, card)).toBeGreaterThanOrEqual(3)
  if (scheme === 'light') expect(contrast(primary, focus)).toBeGreaterThanOrEqual(3)
})

test.each(SCHEMES)('the words on the sky of the %s scheme have a contrast of 4.5 from top to bottom', (scheme) => {
  const { skyInk = '', brand = '', skyTop = '', skyLow = '' } = SCENES[scheme]
  for (const words of [skyInk, brand]) {
    expect(contrast(words, skyTop)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(words, skyLow)).toBeGreaterThanOrEqual(4.5)
  }
})
