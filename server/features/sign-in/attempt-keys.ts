import type { CaptchaKind } from '#shared/contract/captcha.ts'
import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import type { Context } from '../../platform/platform.ts'
import { addressKey, addressMac } from '../attempts/index.ts'
import type { Standing } from './sign-in.store.ts'

/** The keys of the counters that one attempt concerns. Keyed hashes: a typed name may be a password in the wrong field. */
export type AttemptKeys = { name: Buffer; device: Buffer; address: Buffer; addressAndName: Buffer }

export function attemptKeys(ctx: Context, canonical: string, device: string | null): AttemptKeys {
  const name = ctx.secrets.mac(`name\n${canonical}`)
  const address = addressMac(ctx, ctx.client.ip)
  const deviceMac = ctx.secrets.mac(`device\n${device ?? ''}\n${canonical}`)
  return { name, device: deviceMac, address, addressAndName: addressKey(address, name) }
}

/**
 * Which captcha the next attempt must bring: on risk only, judged by failures of the typed name (known or not) or of the
 * address, so that it says nothing of an account. A known device answers for itself alone.
 */
export function captchaDemand(policy: SignInPolicy, standing: Omit<Standing, 'person'>): { kind: CaptchaKind } | null {
  const { counter, isKnownDevice, addressFailures } = standing
  const byName = counter.failures >= policy.captchaAfterFailures
  const byAddress = !isKnownDevice && addressFailures >= policy.addressFailures
  return byName || byAddress ? { kind: policy.captchaKind } : null
}
