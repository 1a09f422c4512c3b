import { contrast } from './contrast.ts'
import type { Palette, Scheme } from './design-tokens.ts'
import { fromOklch, toOklch } from './oklch.ts'

/** Two colours drawn on each other, and the ratio that they need (WCAG 2.2: 4.5 for text, 3 for edges). */
export type ContrastPair = { text: keyof Palette; on: keyof Palette; least: 4.5 | 3 }

const text = (one: keyof Palette, ...grounds: (keyof Palette)[]): ContrastPair[] =>
  grounds.map((on) => ({ text: one, on, least: 4.5 }))

const PAIRS: readonly ContrastPair[] = [
  ...text('ink', 'card', 'ground', 'tint', 'dangerTint', 'wellTint', 'cautionTint'),
  ...text('muted', 'card', 'ground', 'tint', 'cautionTint'),
  ...text('primary', 'card', 'ground', 'tint'),
  ...text('onPrimary', 'primary', 'primaryHover'),
  ...text('danger', 'card', 'ground', 'dangerTint'),
  ...text('well', 'card', 'ground', 'wellTint'),
  ...text('caution', 'card', 'ground', 'cautionTint'),
  { text: 'fieldBorder', on: 'card', least: 3 },
]

/** In light mode the focus ring surrounds a line of the primary colour. */
const FOCUS: ContrastPair = { text: 'focus', on: 'primary', least: 3 }

/** Every pair that the product draws in a scheme. */
export const contrastPairs = (scheme: Scheme): readonly ContrastPair[] =>
  scheme === 'light' ? [...PAIRS, FOCUS] : PAIRS

export type MeasuredPair = ContrastPair & { ratio: number; passes: boolean }

/** Every pair of a scheme with its ratio. */
export const measurePairs = (palette: Palette, scheme: Scheme): MeasuredPair[] =>
  contrastPairs(scheme).map((pair) => {
    const ratio = contrast(palette[pair.text], palette[pair.on])
    return { ...pair, ratio, passes: ratio >= pair.least }
  })

const STEP = 0.004

/**
 * The colour, lighter or darker until it has the ratio on all of these backgrounds; hue and chroma stay.
 * @returns null if no lightness has it.
 */
export function adjustLightness(colour: string, grounds: readonly string[], least: number): string | null {
  const start = toOklch(colour)
  const fits = (candidate: string) => grounds.every((ground) => contrast(candidate, ground) >= least)
  if (fits(colour)) return colour
  // The nearest first, darker before lighter.
  for (let step = STEP; step <= 1; step += STEP) {
    const candidates = [start.lightness - step, start.lightness + step]
      .filter((lightness) => lightness > -STEP && lightness < 1 + STEP)
      .map((lightness) => fromOklch({ ...start, lightness }))
    const found = candidates.find(fits)
    if (found) return found
  }
  return null
}

/**
 * The palette with a pair's text colour moved until all its pairs pass; if impossible, its background is moved.
 * @returns null if neither helps.
 */
export function adjustPair(palette: Palette, scheme: Scheme, pair: ContrastPair): Palette | null {
  for (const moved of [pair.text, pair.on]) {
    const others = contrastPairs(scheme).flatMap(({ text: one, on, least }) =>
      one === moved ? [{ other: on, least }] : on === moved ? [{ other: one, least }] : [],
    )
    const strict = others.filter(({ least }) => least === 4.5).map(({ other }) => palette[other])
    const colour = adjustLightness(
      palette[moved],
      strict.length > 0 ? strict : others.map(({ other }) => palette[other]),
      strict.length > 0 ? 4.5 : 3,
    )
    if (colour !== null && measurePairs({ ...palette, [moved]: colour }, scheme).every(isMended(pair, palette, scheme)))
      return { ...palette, [moved]: colour }
  }
  return null
}

/** Fixing one pair must not break another. */
function isMended(mended: ContrastPair, before: Palette, scheme: Scheme) {
  const passed = measurePairs(before, scheme)
  return (now: MeasuredPair, at: number): boolean =>
    now.passes || (!(now.text === mended.text && now.on === mended.on) && passed[at]?.passes === false)
}
