import { adjustLightness } from './contrast-pairs.ts'
import { declarationsOf, PALETTES, type Palette, ROUND, SCENES, type Scheme, schemeRules } from './design-tokens.ts'
import { fromOklch, toOklch } from './oklch.ts'

/** The background next to or behind the card of the login page: the drawn gate, one colour, or a picture. */
export type Background = {
  kind: 'drawing' | 'colour' | 'picture'
  /** For kind `colour`. */
  light: string
  dark: string
  /** For kind `picture`: its path on this site. */
  file: string | null
  /** The point of the picture that is never cropped, in percent. */
  focusX: number
  focusY: number
  /** How far the picture is darkened, in percent. */
  dim: number
}

/** The complete look: named colours for light and dark, corner radius, background. */
export type ThemeDesign = {
  light: Palette
  dark: Palette
  /** Of a control, in design pixels. */
  radius: number
  background: Background
  effect: 'none' | 'grey'
}

export const DEFAULT_BACKGROUND: Background = {
  kind: 'drawing',
  light: '#1f4b99',
  dark: '#14264d',
  file: null,
  focusX: 50,
  focusY: 50,
  dim: 20,
}

/** The default look, compiled into the style sheets of the build. */
export const DEFAULT_DESIGN: ThemeDesign = {
  ...PALETTES,
  radius: ROUND,
  background: DEFAULT_BACKGROUND,
  effect: 'none',
}

const BLUE = { from: 225, to: 295 }
const BRICK_KEYS = ['path', 'joint']

/** The colours of the drawing in this palette: the blue ones take the hue of the primary colour. */
export function sceneOf(palette: Palette, scheme: Scheme): Record<string, string> {
  const shipped = PALETTES[scheme]
  const scene = SCENES[scheme]
  if (palette.primary === shipped.primary && palette.brick === shipped.brick) return scene
  const to = { primary: toOklch(palette.primary), brick: toOklch(palette.brick) }
  const from = toOklch(shipped.primary)
  const strength = Math.min(1.15, to.primary.chroma / from.chroma)
  const painted = Object.entries(scene).map(([name, colour]): [string, string] => {
    if (!/^#[\da-f]{6}$/.test(colour)) return [name, colour]
    const own = toOklch(colour)
    if (BRICK_KEYS.includes(name)) return [name, fromOklch({ ...own, hue: to.brick.hue })]
    const isBlue = own.hue > BLUE.from && own.hue < BLUE.to
    return [name, isBlue ? fromOklch({ ...own, chroma: own.chroma * strength, hue: to.primary.hue }) : colour]
  })
  return withReadableWords(Object.fromEntries(painted))
}

/** Makes the words on the sky readable from top to bottom. */
function withReadableWords(scene: Record<string, string>): Record<string, string> {
  const sky = [scene['skyTop'] ?? '#ffffff', scene['skyLow'] ?? '#ffffff']
  const readable = (colour = '#000000') => adjustLightness(colour, sky, 4.5) ?? colour
  return { ...scene, skyInk: readable(scene['skyInk']), brand: readable(scene['brand']) }
}

/** White or nearly black, whichever is more readable on it. */
const wordsOn = (colour: string): string =>
  adjustLightness('#ffffff', [colour], 4.5) === '#ffffff' ? '#ffffff' : '#10141c'

const mix = (colour: string, other: string, share: number): string =>
  colour.replace(/[\da-f]{2}/g, (own, at: number) => {
    const theirs = Number.parseInt(other.slice(at, at + 2), 16)
    return Math.round(Number.parseInt(own, 16) * (1 - share) + theirs * share)
      .toString(16)
      .padStart(2, '0')
  })

/** The contrast of the remaining drawing on a plain colour. */
const RELIEF = { gate: 0.1, gateDark: 0.16, stone: 0.05, path: 0.07 } as const

/** Parts that would hide the foot of the gate. */
const FOREGROUND = ['tree1', 'tree2', 'treeHi', 'trunk', 'bush'] as const

/** Only the gate of the drawing, tone on tone. */
function embossed(colour: string, scheme: Scheme): Record<string, string> {
  const words = wordsOn(colour)
  const flat = Object.entries(SCENES[scheme]).map(([name, own]) => [name, own.startsWith('#') ? colour : own])
  const relief = Object.entries(RELIEF).map(([name, share]) => [name, mix(colour, words, share)])
  const leaves = FOREGROUND.map((name) => [name, 'transparent'])
  return {
    ...Object.fromEntries([...flat, ...relief, ...leaves]),
    stars: 'transparent',
    lampGlow: 'transparent',
    skyInk: words,
    brand: words,
  }
}

/** Above the institution's name on a picture: dark enough for white text on any picture. */
const SCRIM = 0.56

const SAFE_PATH = /^\/auth_service\/auth_files\/preview_file\/[\da-f-]{36}$/

/** What is drawn: until there is a picture, the drawing stands in its place. */
const kindOf = ({ kind, file }: Background): Background['kind'] =>
  kind === 'picture' && (file === null || !SAFE_PATH.test(file)) ? 'drawing' : kind

function backgroundColours({ background }: ThemeDesign, palette: Palette, scheme: Scheme): Record<string, string> {
  switch (kindOf(background)) {
    case 'drawing':
      return sceneOf(palette, scheme)
    case 'colour':
      return embossed(background[scheme], scheme)
    case 'picture':
      return { skyTop: '#20242c', skyLow: '#20242c', skyInk: '#ffffff', brand: '#ffffff', path: '#ffffff' }
  }
}

function backgroundRules(background: Background): string[] {
  const { file, focusX, focusY, dim } = background
  const kind = kindOf(background)
  if (kind === 'drawing') return []
  if (kind === 'colour') return ['.scene .brand .path{fill:currentColor;opacity:.65}']
  const shade = `rgb(0 0 0/${dim}%)`
  const picture = `linear-gradient(${shade},${shade}),url(${file}) ${focusX}% ${focusY}%/cover no-repeat var(--sky-top)`
  // As far down as the name does, wherever there is no slogan; the rest of the picture keeps its light.
  const dark = `rgb(0 0 0/${SCRIM})`
  const scrim = `linear-gradient(${dark},${dark} min(38%,calc(260*var(--px))),transparent min(66%,calc(460*var(--px))))`
  return [
    '.scene .drawing{display:none}',
    `.scene{background:${scrim},${picture}}`,
    // A slogan brings its own, which reaches from the top of the picture as far down as the words do.
    `@container page (min-width:56em){@media (min-height:620.1px){.page:not(.page-centre) .scene:has(.slogan){background:${picture}}}}`,
    `.scene .slogan::before{content:"";position:absolute;z-index:-1;inset:-50vh -100vw calc(-200*var(--px));background:linear-gradient(${dark} calc(100% - 200*var(--px)),transparent)}`,
    '.scene .brand{z-index:2}',
    '.scene .brand{background:none;text-shadow:0 1px 3px rgb(0 0 0/.5)}',
  ]
}

/** No effect may change the colours of accessible reading. */
const GREY_RULES = [
  ':root:not([data-reading-contrast]){filter:grayscale(1)}',
  ':root:not([data-reading-contrast]) dialog{filter:grayscale(1)}',
]

/**
 * The theme as a style sheet that overrides the shipped one: custom properties, and the background. Its values are
 * numbers, keywords, `#rrggbb` and one path of a fixed form: no free text gets into it.
 */
export function themeStyles(design: ThemeDesign): string {
  const declarations = (scheme: Scheme) =>
    declarationsOf({ ...design[scheme], ...backgroundColours(design, design[scheme], scheme) })
  return [
    `:root:root{--round:${design.radius}}`,
    ...schemeRules({ light: declarations('light'), dark: declarations('dark') }, ':root:root'),
    ...backgroundRules(design.background),
    ...(design.effect === 'grey' ? GREY_RULES : []),
  ].join('\n')
}
