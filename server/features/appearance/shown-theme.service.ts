import { readDesign } from '#shared/contract/themes.ts'
import { DEFAULT_THEME, isShippedTheme, SHIPPED_THEMES } from '#shared/rules/shipped-themes.ts'
import { type ThemeDesign, themeStyles } from '#shared/rules/theme-design.ts'
import { lookOn } from '#shared/rules/theme-schedule.ts'
import { type PreparedResponse, prepareResponse } from '../../platform/http/prepared-response.ts'
import type { Platform } from '../../platform/platform.ts'
import { findToday, loadAppearance } from './appearance-settings.service.ts'
import { findPublishedDesign, listPublishedThemes } from './shown-theme.store.ts'

/** The theme that everybody sees now. */
export type ShownTheme = {
  /** For a shipped theme its name. */
  code: string
  design: ThemeDesign
  /** Null: the shipped style sheet is complete, and no page requests another. */
  sheet: { href: string; answer: PreparedResponse } | null
}

const SHIPPED: ShownTheme = { code: DEFAULT_THEME, design: SHIPPED_THEMES[DEFAULT_THEME], sheet: null }

type ThemeKey = { theme: string; grey: boolean }

/** Null: the theme no longer exists. */
async function loadTheme(platform: Platform, { theme, grey }: ThemeKey): Promise<ShownTheme | null> {
  if (theme === DEFAULT_THEME && !grey) return SHIPPED
  const stored = isShippedTheme(theme) ? SHIPPED_THEMES[theme] : await findPublishedDesign(platform.sql, theme)
  if (stored === undefined) return null
  const read = readDesign(stored)
  const design: ThemeDesign = grey ? { ...read, effect: 'grey' } : read
  const answer = await prepareResponse(themeStyles(design), 'text/css; charset=utf-8')
  return { code: theme, design, sheet: { href: `/auth_web/theme/${answer.tag}.css`, answer } }
}

/** The institution's own themes, as pages show them. */
export const loadPublishedThemes = (platform: Platform) =>
  platform.cache.read('settings', 'published themes', async () =>
    (await listPublishedThemes(platform.sql)).map(({ design, ...theme }) => ({ ...theme, design: readDesign(design) })),
  )

/** Cached until a theme or a setting changes; switching by date needs only the clock. */
const readTheme = (platform: Platform, key: ThemeKey): Promise<ShownTheme | null> =>
  platform.cache.read('settings', `theme ${key.theme} ${key.grey}`, () => loadTheme(platform, key))

/** The theme that everybody sees at this moment. There always is one: if the stored one no longer exists, the chosen or the shipped one. */
export async function findShownTheme(platform: Platform): Promise<ShownTheme> {
  const settings = await loadAppearance(platform)
  const { theme, grey } = lookOn(settings, await findToday(platform))
  const shown =
    (await readTheme(platform, { theme, grey })) ?? (await readTheme(platform, { theme: settings.theme, grey }))
  return shown ?? (await readTheme(platform, { theme: DEFAULT_THEME, grey })) ?? SHIPPED
}
