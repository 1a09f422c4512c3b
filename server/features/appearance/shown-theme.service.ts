import { AppearanceSettings, readDesign } from '#shared/contract/themes.ts'
import { DEFAULT_THEME, isShippedTheme, SHIPPED_THEMES } from '#shared/rules/shipped-themes.ts'
import { type ThemeDesign, themeStyles } from '#shared/rules/theme-design.ts'
import { type PreparedResponse, prepareResponse } from '../../platform/http/prepared-response.ts'
import type { Platform } from '../../platform/platform.ts'
import { readSettings } from '../../platform/settings.ts'
import { findPublishedDesign } from './shown-theme.store.ts'

/** What everybody sees now. */
export type ShownTheme = {
  /** Of a shipped theme its name. */
  code: string
  design: ThemeDesign
  /** Null: the sheet that ships says it all, and no page asks for another. */
  sheet: { href: string; answer: PreparedResponse } | null
}

const SHIPPED: ShownTheme = { code: DEFAULT_THEME, design: SHIPPED_THEMES[DEFAULT_THEME], sheet: null }

/** Whatever is stored gives a page: what is no theme any more is the one that ships. */
async function loadShownTheme(platform: Platform): Promise<ShownTheme> {
  const { theme } = await readSettings(platform, 'appearance', AppearanceSettings.catch({ theme: DEFAULT_THEME }))
  if (theme === DEFAULT_THEME) return SHIPPED
  const stored = isShippedTheme(theme) ? SHIPPED_THEMES[theme] : await findPublishedDesign(platform.sql, theme)
  if (stored === undefined) return SHIPPED
  const design = readDesign(stored)
  const answer = await prepareResponse(themeStyles(design), 'text/css; charset=utf-8')
  return { code: theme, design, sheet: { href: `/auth_web/theme/${answer.tag}.css`, answer } }
}

/** The theme that everybody sees; kept in memory until it changes. */
export const findShownTheme = (platform: Platform): Promise<ShownTheme> =>
  platform.cache.read('settings', 'shown theme', () => loadShownTheme(platform))
