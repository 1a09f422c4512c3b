import type { checkAddress } from '#shared/contract/login-check.ts'
import type { Output } from '../../platform/http/mount.ts'
import { formatIpAddress, parseIpAddress } from '../../platform/ip-network.ts'
import { toIso } from '../../platform/iso-time.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { addressMac, countAddressFailures, deleteAddressFailures, windowStart } from '../attempts/index.ts'
import { recordAudit } from '../records/index.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { codesOfAddress, forgetCodesOfAddress } from '../verification-codes/index.ts'
import { errors } from './login-check.errors.ts'

/** The key under which a request from there is counted. @throws Refusal `login-check.bad-address` */
function readAddress(typed: string): string {
  const address = parseIpAddress(typed)
  if (!address) throw errors['login-check.bad-address']({ data: { fields: ['ip'] } })
  return formatIpAddress(address)
}

/** What is counted for an address. @throws Refusal `login-check.bad-address` */
export async function getAddressCheck(ctx: Context, typed: string): Promise<Output<typeof checkAddress>> {
  const ip = readAddress(typed)
  const policy = await signInPolicy(ctx)
  const { addressFailures: captchaFrom } = policy
  const since = windowStart(policy, ctx.now())
  const failures = await countAddressFailures(ctx.db, addressMac(ctx, ip), since, captchaFrom)
  const { codesUntil, ...codes } = await codesOfAddress(ctx, ip)
  return { ip, failures, captchaFrom, ...codes, codesUntil: toIso(codesUntil) }
}

/** Clears the counters of an address; those of people stay. @throws Refusal `login-check.bad-address` */
export async function forgetAddress(ctx: Context, typed: string): Promise<void> {
  const before = await getAddressCheck(ctx, typed)
  const { ip, failures, codes } = before
  await transaction(ctx, async (inner) => {
    await deleteAddressFailures(inner.db, addressMac(inner, ip))
    await forgetCodesOfAddress(inner, ip)
    const target = { targetKind: 'address', targetId: ip }
    await recordAudit(inner, { action: 'address.release', ...target, before: { failures, codes }, after: null })
  })
}
