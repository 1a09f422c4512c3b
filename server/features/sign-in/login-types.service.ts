import type { LoginType } from '#shared/contract/light-page.ts'
import type { Platform } from '../../platform/platform.ts'
import type { LoginOptionsProvider } from '../appearance/index.ts'
import { findReadyChannels } from '../messages/index.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { errors } from './sign-in.errors.ts'

type OfferedLoginTypes = { types: LoginType[]; codeChannels: ('sms' | 'mail')[] }

/**
 * What can be typed on the login page now: the enabled login types; codes only while a channel can send them. Read once for all pages of
 * half a minute, or until a setting changes.
 */
const getLoginTypes = (platform: Platform): Promise<OfferedLoginTypes> =>
  platform.cache.read('settings', 'login-types', async () => {
    const [policy, ready] = await Promise.all([signInPolicy(platform), findReadyChannels(platform)])
    const isOn = policy.loginTypes.includes('captcha')
    const codeChannels = isOn ? (['sms', 'mail'] as const).filter((channel) => ready[channel]) : []
    const types = policy.loginTypes.filter((type) => type !== 'captcha' || codeChannels.length > 0)
    // A password stays rejected if only codes are enabled and none can be sent now: strangers can use up the hourly limit.
    return { types: types.length > 0 ? types : policy.loginTypes, codeChannels }
  })

/** What these login types offer on the login page. */
export const typedLoginOptions: LoginOptionsProvider = (platform) => getLoginTypes(platform)

/** @throws Refusal `sign-in.type-off` */
export async function requireLoginType(platform: Platform, type: LoginType): Promise<void> {
  const { types } = await getLoginTypes(platform)
  if (!types.includes(type)) throw errors['sign-in.type-off']()
}
