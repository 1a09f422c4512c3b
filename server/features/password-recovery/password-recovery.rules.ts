import { RecoveryRules } from '#shared/contract/password-recovery.ts'
import type { Platform } from '../../platform/platform.ts'
import { readSettings } from '../../platform/settings.ts'
import type { WayIn } from '../appearance/index.ts'

export const recoveryRules = (platform: Platform): Promise<RecoveryRules> =>
  readSettings(platform, 'passwordRecovery', RecoveryRules)

/** The link on the login page. */
export const recoveryLink: WayIn = async (platform) => ({ forgotPassword: (await recoveryRules(platform)).offered })
