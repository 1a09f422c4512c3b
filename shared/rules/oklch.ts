/**
 * A colour in perceptual terms: lightness from 0 to 1, chroma, and hue in degrees (Björn Ottosson's OKLCH, as in CSS
 * Color 4).
 */
export type Oklch = { lightness: number; chroma: number; hue: number }

const toLinear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
const fromLinear = (value: number) => (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055)

/** @param colour `#rrggbb`. */
export function toOklch(colour: string): Oklch {
  const channel = (at: number) => toLinear(Number.parseInt(colour.slice(at, at + 2), 16) / 255)
  const [r, g, b] = [channel(1), channel(3), channel(5)]
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const yellow = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    chroma: Math.hypot(a, yellow),
    hue: ((Math.atan2(yellow, a) * 180) / Math.PI + 360) % 360,
  }
}

function toChannels({ lightness, chroma, hue }: Oklch): [number, number, number] {
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    fromLinear(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    fromLinear(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    fromLinear(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ]
}

const isShown = (channels: readonly number[]) => channels.every((value) => value >= -0.0005 && value <= 1.0005)

/** As `#rrggbb`; colours outside the gamut lose chroma, not lightness. */
export function fromOklch(colour: Oklch): string {
  const lightness = Math.min(1, Math.max(0, colour.lightness))
  let { chroma } = colour
  while (chroma > 0 && !isShown(toChannels({ ...colour, lightness, chroma }))) chroma = Math.max(0, chroma - 0.004)
  const hex = (value: number) =>
    Math.round(Math.min(1, Math.max(0, value)) * 255)
      .toString(16)
      .padStart(2, '0')
  return `#${toChannels({ ...colour, lightness, chroma })
    .map(hex)
    .join('')}`
}
