import type { ReauthenticationMethod } from '#shared/contract/reauthentication.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import { type Context, callerOf } from '../../platform/platform.ts'
import { findAccessPerson, mustHaveSecondFactor, rulesInForce } from '../access/index.ts'
import { notifyPerson } from '../messages/index.ts'
import { invalidateReauthentication, requireReauthentication } from '../reauthentication/index.ts'
import { recordAudit } from '../records/index.ts'
import { findSsoSessionById, type SecondFactor, saveSecondFactor } from '../sessions/index.ts'
import { listPasskeys } from './passkeys.store.ts'
import { generateRecoveryCodes, hashRecoveryCode } from './recovery-codes.rules.ts'
import { hasSecondFactor } from './required-factor.service.ts'
import { errors } from './second-factors.errors.ts'
import { deleteTotpAndCodes, findOverview, lockSecondFactors, replaceRecoveryCodes } from './second-factors.store.ts'
import { deleteTrustedDevices } from './trusted-devices.store.ts'

/** Minutes after a login in which a first factor can be set up in a session that lacks one. */
const MAX_LOGIN_AGE_MINUTES = 10

/**
 * Called before every change of a person's factors. Whoever has a second factor must have proved two factors, by login and reauthentication
 * together: otherwise a stolen password would be enough to replace the other factor, and so to pass every rule.
 * @throws Refusal `reauthentication.required`, `second-factor.other-method-needed`.
 */
export async function requireReauthenticationToChange(ctx: Context): Promise<void> {
  const method = await requireReauthentication(ctx)
  const without = await listInsufficientMethods(ctx)
  if (method === null || !without.includes(method)) return
  await invalidateReauthentication(ctx)
  throw errors['second-factor.other-method-needed']({ data: { without } })
}

/** Reauthentications that would only repeat what the login proved. */
export async function listInsufficientMethods(ctx: Context): Promise<ReauthenticationMethod[]> {
  const { userId, ssoSessionId } = callerOf(ctx)
  if (!(await hasSecondFactor(ctx, userId))) return []
  const session = await findSsoSessionById(ctx, ssoSessionId, null)
  if (session?.secondFactor) return []
  return session?.authType === 'user' ? ['password'] : ['phone', 'mailbox']
}

/**
 * Requires reauthentication before a factor is added. A session that lacks its second factor can prove nothing but its login: that must be
 * recent, and the person must have no factor yet, or the missing factor could be bypassed this way.
 * @throws Refusal `second-factor.log-in-again`, those of `requireReauthenticationToChange`, `session.second-factor-required`.
 */
export async function requireReauthenticationToAdd(ctx: Context): Promise<void> {
  const { lacksFactor, userId, ssoSessionId } = callerOf(ctx)
  if (!lacksFactor) return await requireReauthenticationToChange(ctx)
  if (await hasSecondFactor(ctx, userId)) throw platformErrors['session.second-factor-required']()
  const session = await findSsoSessionById(ctx, ssoSessionId, null)
  const since = session ? ctx.now().getTime() - session.authenticatedAt.getTime() : Number.POSITIVE_INFINITY
  if (since > MAX_LOGIN_AGE_MINUTES * 60_000) throw errors['second-factor.log-in-again']()
}

/**
 * What belongs to a new factor, in its transaction: recovery codes with the first one, the audit record, the notice, and the factor is
 * marked as proved in the session.
 * @returns the recovery codes, shown once; null if there are some already.
 */
export async function recordAddedFactor(
  ctx: Context,
  factor: SecondFactor & ('totp' | 'passkey'),
  name: string | null,
): Promise<string[] | null> {
  const { userId, ssoSessionId } = callerOf(ctx)
  const overview = await findOverview(ctx.db, userId)
  const codes = overview && overview.codesLeft > 0 ? null : await createRecoveryCodes(ctx, userId)
  await recordAudit(ctx, {
    action: `${factor}.add`,
    targetKind: 'user',
    targetId: userId,
    after: name && { device: name },
  })
  await notifyPerson(ctx, { userId, template: 'notice.second-factor-added' })
  await saveSecondFactor(ctx, ssoSessionId, factor)
  return codes
}

export async function createRecoveryCodes(ctx: Context, userId: string): Promise<string[]> {
  const codes = generateRecoveryCodes()
  const hashes = codes.map((code) => hashRecoveryCode(ctx.secrets, userId, code))
  await lockSecondFactors(ctx.db, userId, ctx.now())
  await replaceRecoveryCodes(ctx.db, userId, hashes, ctx.now())
  return codes
}

/**
 * What belongs to the removal of a factor, in its transaction, after it. Without any factor left, recovery codes and trusted browsers have
 * nothing to replace.
 * @throws Refusal `second-factor.last`, which rolls the removal back.
 */
export async function recordRemovedFactor(
  ctx: Context,
  factor: 'totp' | 'passkey',
  name: string | null,
): Promise<void> {
  const { userId } = callerOf(ctx)
  const overview = await findOverview(ctx.db, userId)
  const passkeys = await listPasskeys(ctx.db, userId)
  if (!overview?.totpSince && passkeys.length === 0) {
    if (overview && (await isSecondFactorRequired(ctx, userId))) throw errors['second-factor.last']()
    await deleteTotpAndCodes(ctx.db, userId)
    await deleteTrustedDevices(ctx.db, userId, null)
  }
  const before = name && { device: name }
  await recordAudit(ctx, { action: `${factor}.remove`, targetKind: 'user', targetId: userId, before })
  await notifyPerson(ctx, { userId, template: 'notice.second-factor-removed' })
}

/** Regardless of the place: an off-campus rule asks everybody, sooner or later. */
export async function isSecondFactorRequired(ctx: Context, userId: string): Promise<boolean> {
  const { onHops, hopNeeds } = await rulesInForce(ctx)
  const person = await findAccessPerson(ctx.db, userId, hopNeeds, ctx.now())
  return person !== null && mustHaveSecondFactor(onHops, person)
}
