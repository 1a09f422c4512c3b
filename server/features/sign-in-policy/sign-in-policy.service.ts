import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import type { Platform } from '../../platform/platform.ts'
import { readSettings } from '../../platform/settings.ts'
import { ReadablePolicy } from '../access/index.ts'

/** The login configuration in force, cached; a change is seen on every node within a second. */
export const signInPolicy = (platform: Platform): Promise<SignInPolicy> =>
  readSettings(platform, 'login', ReadablePolicy)
