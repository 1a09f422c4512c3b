import { AppearanceSettings } from '#shared/contract/themes.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { resetSettings } from '../settings/index.ts'

/**
 * The pages as they ship, for an operator whose theme nobody can use; themes and drafts stay.
 * @returns what the bootstrap file sets, which stays.
 */
export const resetAppearance = (ctx: Context): Promise<{ reset: string[]; setByFile: string[] }> =>
  transaction(ctx, (inner) =>
    resetSettings(inner, 'appearance', Object.keys(AppearanceSettings.shape), { actor: 'command line' }),
  )
