import { z } from 'zod'
import { PALETTES, type Palette, type Scheme } from '../rules/design-tokens.ts'
import { DEFAULT_THEME } from '../rules/shipped-themes.ts'
import { DEFAULT_BACKGROUND, DEFAULT_DESIGN, type ThemeDesign } from '../rules/theme-design.ts'
import type { ThemeWindow as ScheduleWindow } from '../rules/theme-schedule.ts'
import { Done, Empty, get, Id, Language, Moment, post } from './endpoint.ts'
import { HomePageSettings } from './home-page.ts'
import { LoginPageSettings } from './login-page.ts'
import { EntryName, EntryNames } from './organizations.ts'
import { UploadedPicture } from './uploaded-picture.ts'

/** The most custom themes of an institution. */
export const MAX_THEMES = 50

const Colour = z.string().regex(/^#[\da-f]{6}$/)
const Percent = z.number().int().min(0).max(100)

const paletteOf = (scheme: Scheme) =>
  z.strictObject(
    Object.fromEntries(Object.keys(PALETTES[scheme]).map((name) => [name, Colour])) as Record<
      keyof Palette,
      typeof Colour
    >,
  )

/** A theme as input: complete, without further keys. */
export const Design = z.strictObject({
  light: paletteOf('light'),
  dark: paletteOf('dark'),
  radius: z.number().int().min(0).max(16),
  background: z.strictObject({
    kind: z.enum(['drawing', 'colour', 'picture']),
    light: Colour,
    dark: Colour,
    file: UploadedPicture.nullable(),
    focusX: Percent,
    focusY: Percent,
    dim: z.number().int().min(0).max(60),
  }),
  effect: z.enum(['none', 'grey']),
}) satisfies z.ZodType<ThemeDesign>

/** The valid keys of a stored part; invalid ones have their default, so that every stored theme renders. */
function readKeys<T extends object>(schema: z.ZodObject, value: unknown, shipped: T): T {
  const given = (value ?? {}) as Record<string, unknown>
  const read = Object.entries(schema.shape).flatMap(([key, part]) => {
    const parsed = (part as z.ZodType).safeParse(given[key])
    return parsed.success ? [[key, parsed.data]] : []
  })
  return { ...shipped, ...Object.fromEntries(read) }
}

/** A stored theme, read key by key. */
export function readDesign(value: unknown): ThemeDesign {
  const { light, dark, background, ...rest } = (value ?? {}) as Record<string, unknown>
  return {
    ...readKeys(Design, rest, DEFAULT_DESIGN),
    light: readKeys(Design.shape.light, light, DEFAULT_DESIGN.light),
    dark: readKeys(Design.shape.dark, dark, DEFAULT_DESIGN.dark),
    background: readKeys(Design.shape.background, background, DEFAULT_BACKGROUND),
  }
}

/** The name of a shipped theme, or the id of a custom one. */
const ThemeCode = z.string().min(1).max(40)

/** The most entries of a schedule. */
export const MAX_THEME_WINDOWS = 30

const ThemeWindow = z
  .strictObject({
    name: z.string().trim().min(1).max(60),
    theme: ThemeCode.nullable(),
    grey: z.boolean(),
    from: z.iso.date(),
    until: z.iso.date(),
    yearly: z.boolean(),
    priority: z.number().int().min(0).max(9),
  })
  .refine(({ from, until, yearly }) => yearly || from <= until, { path: ['until'], message: 'not before it begins' })
  .refine(({ theme, grey }) => theme !== null || grey, {
    path: ['theme'],
    message: 'a theme, or grey',
  }) satisfies z.ZodType<ScheduleWindow>

export const BANNER_TONES = ['info', 'caution'] as const

/** Plain text, never interpreted as HTML. */
const Banner = z
  .strictObject({
    /** A missing language falls back to another. */
    texts: z
      .record(Language, z.string().trim().min(1).max(300))
      .refine((texts) => Object.keys(texts).length > 0, { params: { reason: 'no-text' } }),
    tone: z.enum(BANNER_TONES),
    from: Moment.nullable(),
    until: Moment.nullable(),
  })
  .refine(({ from, until }) => !from || !until || new Date(from) < new Date(until), {
    path: ['until'],
    params: { reason: 'period' },
  })
export type Banner = z.infer<typeof Banner>

const Appearance = {
  theme: ThemeCode,
  /** Days on which the pages look different. */
  schedule: z.array(ThemeWindow).max(MAX_THEME_WINDOWS),
  /** A sentence on the login page and the home page. */
  banner: Banner.nullable(),
}

/** The themes and their schedule: settings document `appearance`, and `settings.appearance` of the bootstrap file. */
export const AppearanceSettings = z.strictObject({
  theme: Appearance.theme.default(DEFAULT_THEME),
  schedule: Appearance.schedule.default([]),
  banner: Appearance.banner.default(null),
})
export type AppearanceSettings = z.infer<typeof AppearanceSettings>

/** A stored theme; `design` is written only by publishing. */
export const ThemeFields = z.strictObject({
  name: EntryName,
  names: EntryNames.default({}),
  design: Design.nullable(),
  draft: Design.nullable(),
})

export const Theme = z.object({
  /** For a shipped one its name. */
  id: ThemeCode,
  version: z.number().int(),
  name: z.string(),
  names: EntryNames,
  /** In the caller's language. */
  shownName: z.string(),
  shipped: z.boolean(),
  design: Design.nullable(),
  draft: Design.nullable(),
  updatedAt: z.iso.datetime().nullable(),
})
export type Theme = z.infer<typeof Theme>

const Path = z.strictObject({ id: Id })
const version = z.number().int().min(1)
const CHANGE_ERRORS = ['resource.not-found', 'version.conflict'] as const
const NAME_ERRORS = ['theme.name-taken', 'theme.unknown-picture'] as const

export const queryThemes = get(
  '/login_config/themes/',
  'superUser',
  Empty,
  z.object({
    themes: z.array(Theme),
    /** The theme outside of the schedule, and the version of the document. */
    theme: ThemeCode,
    schedule: z.array(ThemeWindow),
    banner: Banner.nullable(),
    /** Today's date at the institution. */
    today: z.iso.date(),
    version: z.number().int(),
    /** Keys set by the bootstrap file. */
    setByFile: z.array(z.string()),
  }),
  { summary: 'All themes with their drafts, and the schedule' },
)

export const createTheme = post(
  '/login_config/create/',
  'superUser',
  z.strictObject({
    name: EntryName,
    names: EntryNames.default({}),
    /** Its initial design. */ base: ThemeCode.default(DEFAULT_THEME),
  }),
  Theme,
  {
    summary: 'Create a theme as a copy of another one',
    errors: ['theme.too-many', 'theme.not-found', ...NAME_ERRORS],
  },
)

export const updateTheme = post(
  '/login_config/themes/{id}/update/',
  'superUser',
  ThemeFields.omit({ design: true }).extend({ version }),
  Theme,
  { query: Path, summary: 'Save the draft of a theme', errors: [...NAME_ERRORS, ...CHANGE_ERRORS] },
)

/** In `data` of `theme.low-contrast`. */
export type WeakPair = { scheme: Scheme; text: string; on: string; ratio: number; least: number }

export const publishTheme = post(
  '/login_config/themes/{id}/publish/',
  'superUser',
  z.strictObject({
    version,
    /** Why it is published despite low contrast; recorded. */ reason: z
      .string()
      .trim()
      .min(1)
      .max(300)
      .nullable()
      .default(null),
  }),
  Theme,
  {
    query: Path,
    summary: 'Publish the draft of a theme',
    errors: ['theme.nothing-to-publish', 'theme.low-contrast', ...CHANGE_ERRORS],
  },
)

export const discardTheme = post('/login_config/themes/{id}/delete/', 'superUser', z.strictObject({ version }), Done, {
  query: Path,
  summary: 'Delete a theme that is not in use',
  errors: ['theme.in-use', ...CHANGE_ERRORS],
})

export const chooseTheme = post(
  '/login_config/choose_theme/',
  'superUser',
  z.strictObject({ theme: ThemeCode, version: z.number().int().min(0) }),
  z.object({ theme: ThemeCode, version: z.number().int() }),
  {
    summary: 'Choose the theme that everybody sees',
    errors: ['theme.not-found', 'theme.not-published', 'version.conflict', 'settings.set-by-file'],
  },
)

export const changeSchedule = post(
  '/login_config/schedule/',
  'superUser',
  z.strictObject({
    version: z.number().int().min(0),
    /** Absent keys are unchanged. */ changes: z
      .strictObject({ schedule: Appearance.schedule, banner: Appearance.banner })
      .partial(),
  }),
  z.object({ version: z.number().int() }),
  {
    summary: 'Change the schedule, and the banner',
    errors: ['theme.not-found', 'theme.not-published', 'version.conflict', 'settings.set-by-file'],
  },
)

const Texts = z.record(z.string().max(120), z.string().max(4000))

/** What a preview shows instead of the stored state. */
export const PreviewDraft = z.strictObject({
  theme: Design.optional(),
  loginPage: LoginPageSettings.optional(),
  homePage: HomePageSettings.optional(),
  banner: Banner.nullable().optional(),
  /** Unsaved texts, by language and key. */
  texts: z.record(Language, Texts).optional(),
})
export type PreviewDraft = z.infer<typeof PreviewDraft>

export const keepPreview = post(
  '/login_config/preview/',
  'superUser',
  z.strictObject({
    /** The token of an earlier answer: its frames show the new draft when reloaded. */
    token: z.string().max(64).nullable().default(null),
    draft: PreviewDraft,
  }),
  z.object({ token: z.string() }),
  {
    summary: 'Store an unsaved draft for an hour, for the frames of this browser below /auth_web/preview/{token}/',
    mostBodyBytes: 256 * 1024,
  },
)
