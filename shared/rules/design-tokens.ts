/**
 * The single source of design tokens: the style sheets of the portal and of the light pages, and the reading schemes,
 * take colours and sizes from here. Every pair used together meets WCAG 2.2 AA (a test computes the ratios).
 */
export type Palette = {
  /** The page background. */
  ground: string
  card: string
  ink: string
  muted: string
  primary: string
  primaryHover: string
  onPrimary: string
  /** The background of a selected or highlighted element. */
  tint: string
  fieldBorder: string
  hairline: string
  danger: string
  dangerTint: string
  well: string
  wellTint: string
  caution: string
  cautionTint: string
  focus: string
  brick: string
}

export type Scheme = 'light' | 'dark'

export const PALETTES: Record<Scheme, Palette> = {
  light: {
    ground: '#f6f5f1',
    card: '#ffffff',
    ink: '#1b2433',
    muted: '#5b6472',
    primary: '#1f4b99',
    primaryHover: '#173a78',
    onPrimary: '#ffffff',
    tint: '#e9eef8',
    fieldBorder: '#8b93a1',
    hairline: '#e3e1da',
    danger: '#a8452c',
    dangerTint: '#fbefeb',
    well: '#1d6b45',
    wellTint: '#e8f3ec',
    caution: '#7a4b00',
    cautionTint: '#fbf2e0',
    focus: '#8fb2f5',
    brick: '#a8452c',
  },
  dark: {
    ground: '#12161f',
    card: '#1b2130',
    ink: '#e8eaf0',
    muted: '#a3acbb',
    primary: '#8fb2f5',
    primaryHover: '#b0c9f9',
    onPrimary: '#0d1420',
    tint: '#25304a',
    fieldBorder: '#6b7588',
    hairline: '#2e3648',
    danger: '#f0a48f',
    dangerTint: '#3a2622',
    well: '#7fd0a3',
    wellTint: '#1c3329',
    caution: '#e7bd72',
    cautionTint: '#352c1a',
    focus: '#8fb2f5',
    brick: '#d9765a',
  },
}

/** Lengths in design pixels: a CSS pixel up to a window of 1920, growing with the root size beyond. */
export const SIZES = {
  textPortal: 15,
  textManage: 14,
  lineHeight: 1.6,
  controlPortal: 44,
  controlManage: 34,
  radiusControl: 8,
  radiusCard: 12,
  contentWidth: 1200,
} as const

/** Font stacks by language: the first CJK font decides which glyph variant is drawn. */
export const FONTS = {
  zh_CN:
    "system-ui, 'PingFang SC', 'Hiragino Sans GB', 'Microsoft YaHei', 'Noto Sans CJK SC', 'Noto Sans SC', sans-serif",
  zh_TW: "system-ui, 'PingFang TC', 'Microsoft JhengHei', 'Noto Sans CJK TC', 'Noto Sans TC', sans-serif",
  en: "system-ui, 'Segoe UI', Roboto, 'Noto Sans', 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', sans-serif",
} as const

/**
 * Colours of the drawn gate on the light pages: by day, and at dusk for the dark scheme. `skyInk` is text on the sky.
 */
export const SCENES: Record<Scheme, Record<string, string>> = {
  light: {
    skyTop: '#dfe7f4',
    skyLow: '#f7f0e2',
    skyInk: '#1b2433',
    brand: '#1f4b99',
    sun: '#f6cf9f',
    halo: '#f6cf9f',
    cloud: '#ffffff',
    hill1: '#c9d6ea',
    hill2: '#a9bddd',
    town: '#b2c3df',
    panes: '#e9f0fa',
    lawn: '#8fb39b',
    glowTop: '#fdf3df',
    glowLow: '#f9dfb4',
    view1: '#b9cae2',
    view2: '#9dbda9',
    path: '#c9603f',
    joint: '#b04d30',
    gate: '#1f4b99',
    gateDark: '#173a78',
    stone: '#2c5aac',
    lamp: '#fbe3a8',
    lampGlow: 'transparent',
    iron: '#12295a',
    tree1: '#2f6b53',
    tree2: '#3d7d62',
    treeFar: '#5f8f83',
    treeHi: '#4c8a6e',
    trunk: '#5c4433',
    bush: '#23574a',
    stars: 'transparent',
    bird: '#5b6b86',
  },
  dark: {
    skyTop: '#141b33',
    skyLow: '#4a3f63',
    skyInk: '#f3f1ea',
    brand: '#f3f1ea',
    sun: '#f0c493',
    halo: '#a8707a',
    cloud: '#5a5478',
    hill1: '#2f3458',
    hill2: '#252b4a',
    town: '#383d66',
    panes: '#f2c878',
    lawn: '#1d3038',
    glowTop: '#e8a878',
    glowLow: '#c9745f',
    view1: '#5a4468',
    view2: '#3a4155',
    path: '#a8533c',
    joint: '#8a4030',
    gate: '#2a4277',
    gateDark: '#1e3058',
    stone: '#3a5591',
    lamp: '#ffe2a0',
    lampGlow: '#f6c97a8c',
    iron: '#0c1430',
    tree1: '#17332f',
    tree2: '#1d3d38',
    treeFar: '#27404a',
    treeHi: '#2a4f48',
    trunk: '#2a2230',
    bush: '#10262a',
    stars: '#ffffff',
    bird: '#8f8aa8',
  },
}

const kebab = (name: string) => name.replace(/([A-Z]|\d)/g, (sign) => `-${sign.toLowerCase()}`)
export const declarationsOf = (tokens: Record<string, string>): string =>
  Object.entries(tokens)
    .map(([name, value]) => `--${kebab(name)}:${value};`)
    .join('')
/** The corner radius of a control, in design pixels; a card has half as much more. */
export const ROUND = SIZES.radiusControl

/**
 * The rules that set the tokens of a scheme: the system's, unless `data-theme` on the root says otherwise.
 * @param root `:root:root` overrides the shipped tokens regardless of sheet order.
 */
export const schemeRules = (declarations: Record<Scheme, string>, root = ':root'): string[] => [
  `${root}{${declarations.light}}`,
  `${root}[data-theme=dark]{${declarations.dark}}`,
  `@media (prefers-color-scheme:dark){${root}:not([data-theme=light]){${declarations.dark}}}`,
]
const declarations = (scheme: Scheme) => declarationsOf({ ...PALETTES[scheme], ...SCENES[scheme] })

/** All tokens as custom properties: the system's scheme unless `data-theme` on the root says otherwise. */
export const tokenStyles = (): string =>
  [
    `:root{--round:${ROUND};--font:${FONTS.zh_CN}}`,
    `:root:lang(zh-TW){--font:${FONTS.zh_TW}}`,
    `:root:lang(en){--font:${FONTS.en}}`,
    ...schemeRules({ light: declarations('light'), dark: declarations('dark') }),
  ].join('\n')
