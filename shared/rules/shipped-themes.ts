import { PALETTES, type Palette, type Scheme } from './design-tokens.ts'
import { DEFAULT_BACKGROUND, DEFAULT_DESIGN, type ThemeDesign } from './theme-design.ts'

/** The colours that a theme changes. */
type Shades = Record<Scheme, Partial<Palette>>

const palettes = ({ light, dark }: Shades) => ({
  light: { ...PALETTES.light, ...light },
  dark: { ...PALETTES.dark, ...dark },
})

/** Deep pine green on rice paper, a bronze path; corners a little tighter. */
const pine: ThemeDesign = {
  ...palettes({
    light: {
      ground: '#f4f5ee',
      card: '#fffffb',
      ink: '#1c261f',
      muted: '#5a655b',
      primary: '#1f5f46',
      primaryHover: '#174a36',
      tint: '#e4efe6',
      fieldBorder: '#869085',
      hairline: '#e0e3d6',
      focus: '#8ecbab',
      brick: '#8a5a1f',
    },
    dark: {
      ground: '#101813',
      card: '#18231c',
      ink: '#e6ece6',
      muted: '#a1b0a4',
      primary: '#8fd0ae',
      primaryHover: '#b0e2c7',
      onPrimary: '#0a1a11',
      tint: '#213a2c',
      fieldBorder: '#687a6d',
      hairline: '#2a3a30',
      focus: '#8fd0ae',
      brick: '#d9a560',
    },
  }),
  radius: 6,
  background: DEFAULT_BACKGROUND,
  effect: 'none',
}

/**
 * The wine red of old seals on warm white, for an institution with a long history. Errors tend to orange, to be
 * distinguishable.
 */
const seal: ThemeDesign = {
  ...palettes({
    light: {
      ground: '#f8f4ee',
      card: '#fffdf9',
      ink: '#2a1d1b',
      muted: '#6d5c57',
      primary: '#8c1d2f',
      primaryHover: '#6f1525',
      tint: '#f7e6e4',
      fieldBorder: '#9a8a83',
      hairline: '#e9dfd5',
      danger: '#a34310',
      dangerTint: '#fdeee2',
      focus: '#eea3a8',
      brick: '#8c1d2f',
    },
    dark: {
      ground: '#181211',
      card: '#221a18',
      ink: '#f1e9e4',
      muted: '#b8a69e',
      primary: '#f2a6a6',
      primaryHover: '#f8c4c2',
      onPrimary: '#2a0c10',
      tint: '#43262a',
      fieldBorder: '#83716a',
      hairline: '#3a2d2a',
      danger: '#f2ae7c',
      dangerTint: '#3d2818',
      focus: '#f2a6a6',
      brick: '#e08a85',
    },
  }),
  radius: 4,
  background: { ...DEFAULT_BACKGROUND, kind: 'colour', light: '#6f1525', dark: '#34101a' },
  effect: 'none',
}

/** Violet at dusk with round corners: young, soft, still quiet. */
const wisteria: ThemeDesign = {
  ...palettes({
    light: {
      ground: '#f6f4fa',
      card: '#ffffff',
      ink: '#241f33',
      muted: '#625b74',
      primary: '#5a349c',
      primaryHover: '#46277c',
      tint: '#eee8f9',
      fieldBorder: '#918aa3',
      hairline: '#e4dfee',
      focus: '#b79df0',
      brick: '#b2466e',
    },
    dark: {
      ground: '#15121f',
      card: '#1f1a2d',
      ink: '#ece8f5',
      muted: '#aea5c2',
      primary: '#c3abf7',
      primaryHover: '#d7c6fb',
      onPrimary: '#190d33',
      tint: '#34294f',
      fieldBorder: '#766c8d',
      hairline: '#342c47',
      focus: '#c3abf7',
      brick: '#e68bab',
    },
  }),
  radius: 14,
  background: DEFAULT_BACKGROUND,
  effect: 'none',
}

/** Ink on paper: no colour but black, white and a seal of vermilion; square corners. */
const ink: ThemeDesign = {
  ...palettes({
    light: {
      ground: '#f3f2ee',
      card: '#ffffff',
      ink: '#16171a',
      muted: '#5b5c60',
      primary: '#22252b',
      primaryHover: '#3d4149',
      tint: '#e9e8e3',
      fieldBorder: '#87878a',
      hairline: '#dcdad3',
      danger: '#b02a1d',
      dangerTint: '#fbebe8',
      focus: '#9aa0ab',
      brick: '#b02a1d',
    },
    dark: {
      ground: '#111214',
      card: '#1a1b1e',
      ink: '#ededeb',
      muted: '#a9a9ab',
      primary: '#e3e2de',
      primaryHover: '#ffffff',
      onPrimary: '#141518',
      tint: '#2f3136',
      fieldBorder: '#76777b',
      hairline: '#303236',
      focus: '#b9bcc4',
      brick: '#ef7d6f',
    },
  }),
  radius: 0,
  background: { ...DEFAULT_BACKGROUND, kind: 'colour', light: '#dcd9cf', dark: '#08090a' },
  effect: 'none',
}

/** Clear water: teal on cool white, an open coloured side, the roundest corners. */
const lake: ThemeDesign = {
  ...palettes({
    light: {
      ground: '#eff5f6',
      card: '#ffffff',
      ink: '#13262b',
      muted: '#4f6267',
      primary: '#0b6475',
      primaryHover: '#084d5b',
      tint: '#dff0f2',
      fieldBorder: '#7f9297',
      hairline: '#d8e5e7',
      focus: '#7fd0dd',
      brick: '#b5531c',
    },
    dark: {
      ground: '#0c1719',
      card: '#132226',
      ink: '#e2eef0',
      muted: '#9cb2b6',
      primary: '#7fd3e0',
      primaryHover: '#a6e3ec',
      onPrimary: '#05191d',
      tint: '#1a3a41',
      fieldBorder: '#64797d',
      hairline: '#253a3f',
      focus: '#7fd3e0',
      brick: '#f0a070',
    },
  }),
  radius: 12,
  background: { ...DEFAULT_BACKGROUND, kind: 'colour', light: '#0b6475', dark: '#0a2f37' },
  effect: 'none',
}

/** The shipped themes; the first is the default. Their names are the messages `theme.<code>`. */
export const SHIPPED_THEMES = {
  gatehouse: DEFAULT_DESIGN,
  pine,
  seal,
  wisteria,
  ink,
  lake,
} as const satisfies Readonly<Record<string, ThemeDesign>>

export type ShippedTheme = keyof typeof SHIPPED_THEMES
export const SHIPPED_CODES = Object.keys(SHIPPED_THEMES) as ShippedTheme[]
export const DEFAULT_THEME: ShippedTheme = 'gatehouse'
export const isShippedTheme = (code: string): code is ShippedTheme => Object.hasOwn(SHIPPED_THEMES, code)
