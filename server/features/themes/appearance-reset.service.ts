import { HomePageSettings } from '#shared/contract/home-page.ts'
import { LoginPageSettings } from '#shared/contract/login-page.ts'
import { AppearanceSettings } from '#shared/contract/themes.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { resetSettings } from '../settings/index.ts'

/**
 * Restores the shipped pages, for an operator whose theme is unusable; themes and drafts stay.
 * @returns what was reset, and what the bootstrap file sets, which stays.
 */
export const resetAppearance = (ctx: Context): Promise<{ reset: string[]; setByFile: string[] }> =>
  transaction(ctx, async (inner) => {
    const by = { actor: 'command line' }
    const theme = await resetSettings(inner, 'appearance', Object.keys(AppearanceSettings.shape), by)
    const page = await resetSettings(inner, 'loginPage', Object.keys(LoginPageSettings.shape), by)
    const home = await resetSettings(inner, 'homePage', Object.keys(HomePageSettings.shape), by)
    const all = [theme, page, home]
    return { reset: all.flatMap(({ reset }) => reset), setByFile: all.flatMap(({ setByFile }) => setByFile) }
  })
