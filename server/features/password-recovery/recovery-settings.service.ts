import { RecoveryRules } from '#shared/contract/password-recovery.ts'
import type { Platform } from '../../platform/platform.ts'
import { readSettings } from '../../platform/settings.ts'
import type { LoginOptionsProvider } from '../appearance/index.ts'

export const getRecoveryRules = (platform: Platform): Promise<RecoveryRules> =>
  readSettings(platform, 'passwordRecovery', RecoveryRules)

/** The link on the login page. */
export const recoveryLoginOption: LoginOptionsProvider = async (platform) => ({
  forgotPassword: (await getRecoveryRules(platform)).offered,
})
