import { adjustPair, measurePairs } from './contrast-pairs.ts'
import type { Palette, Scheme } from './design-tokens.ts'
import { fromOklch, toOklch } from './oklch.ts'
import type { ThemeDesign } from './theme-design.ts'

/** Fixes pair after pair; pairs that no lightness can fix stay. */
function readable(palette: Palette, scheme: Scheme): Palette {
  let current = palette
  for (const pair of measurePairs(palette, scheme)) {
    const isWeak = measurePairs(current, scheme).some(
      ({ text, on, passes }) => text === pair.text && on === pair.on && !passes,
    )
    current = (isWeak && adjustPair(current, scheme, pair)) || current
  }
  return current
}

/**
 * The design in another brand colour: coloured parts follow its hue, lighter and softer in dark mode, and all of it
 * stays readable.
 */
export function withBrandColour(design: ThemeDesign, brand: string): ThemeDesign {
  const { lightness, chroma, hue } = toOklch(brand)
  const shade = (light: number, strength: number) =>
    fromOklch({ lightness: light, chroma: Math.min(chroma, strength), hue })
  const light: Palette = {
    ...design.light,
    primary: brand,
    primaryHover: fromOklch({ lightness: Math.max(0.1, lightness - 0.07), chroma, hue }),
    onPrimary: '#ffffff',
    tint: shade(0.945, 0.022),
    focus: shade(0.77, 0.11),
  }
  const dark: Palette = {
    ...design.dark,
    primary: shade(0.78, 0.11),
    primaryHover: shade(0.85, 0.08),
    onPrimary: shade(0.17, 0.04),
    tint: shade(0.31, 0.05),
    focus: shade(0.78, 0.11),
  }
  return {
    ...design,
    light: readable(light, 'light'),
    dark: readable(dark, 'dark'),
    background: { ...design.background, light: shade(Math.min(lightness, 0.42), 0.16), dark: shade(0.25, 0.06) },
  }
}
