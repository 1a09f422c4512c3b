import type { FastifyReply } from 'fastify'
import type { PasswordOwner } from '#shared/rules/password-demands.ts'
import type { PersonalWords } from '#shared/rules/password-strength.ts'
import { errors as platformErrors, type Refusal } from '../../platform/errors.ts'
import { type Context, callerOf, transaction } from '../../platform/platform.ts'
import {
  type AttemptCounter,
  countFailure,
  deleteCounter,
  findCounter,
  isBlocked,
  waitOf,
  windowStart,
  withAttemptSlot,
} from '../attempts/index.ts'
import { notifyPerson } from '../messages/index.ts'
import { toPasswordOwner } from '../password-demands/index.ts'
import { recordAudit } from '../records/index.ts'
import { endSsoSessions, rotateSecrets, setSecretCookies } from '../sessions/index.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { hashPassword } from './hash-password.service.ts'
import { assertStrongPassword } from './new-password.service.ts'
import { errors } from './passwords.errors.ts'
import { findPasswordOwner, type PasswordOwnerRow, replacePassword } from './passwords.store.ts'
import { verifyPassword } from './verify-password.service.ts'

/** `ended`: how many other logins of the person this ended. */
type PasswordChangeResult = { token: string; ended: number }
type PasswordChange = { userId: string; oldPassword: string | undefined; newPassword: string }

/**
 * Changes the caller's own password and ends all their other sessions; the current one gets new secrets and is no longer restricted.
 * @throws Refusal `password.not-yours`, `password.old-wrong`, `password.too-many-attempts`, `password.too-weak`, `version.conflict`
 *   (somebody else changed it meanwhile), `service.busy`.
 */
export async function changeOwnPassword(
  ctx: Context,
  reply: FastifyReply,
  change: PasswordChange,
): Promise<PasswordChangeResult> {
  const caller = callerOf(ctx)
  if (change.userId !== caller.userId) throw errors['password.not-yours']()
  if (caller.lacksFactor && !caller.limited) throw platformErrors['session.second-factor-required']()
  if (caller.lacksFields && !caller.limited) throw platformErrors['session.profile-incomplete']()
  const owner = await findOwner(ctx, caller.userId)
  if (!owner) throw platformErrors['session.required']()
  // A restricted session was just opened with this very password, and can do nothing but change it.
  if (!caller.limited) {
    const wrong = errors['password.old-wrong']()
    await requireMatchingPassword(ctx, { userId: caller.userId, hash: owner.hash, password: change.oldPassword, wrong })
  }
  const hash = await checkAndHash(ctx, owner, change.newPassword)
  const { secrets, ended } = await transaction(ctx, async (inner) => {
    const at = inner.now()
    const row = { userId: caller.userId, old: owner.hash, hash, at, changedBy: null }
    if (!(await replacePassword(inner.db, row))) throw platformErrors['version.conflict']()
    const { userId, ssoSessionId } = caller
    await recordAudit(inner, { action: 'password.change', targetKind: 'user', targetId: userId })
    const others = await endSsoSessions(inner, { userId, exceptId: ssoSessionId }, 'password-changed')
    const renewed = await rotateSecrets(inner)
    if (!renewed) throw platformErrors['session.required']()
    await notifyPerson(inner, { userId, template: 'notice.password-changed' })
    return { secrets: renewed, ended: others.length }
  })
  setSecretCookies(ctx.config, reply, secrets)
  return { token: secrets.token, ended }
}

const findOwner = (ctx: Context, userId: string): Promise<PasswordOwnerRow | null> =>
  findPasswordOwner(ctx.db, userId, ctx.now())

async function checkAndHash(ctx: Context, owner: PasswordOwnerRow, password: string): Promise<string> {
  await assertStrongPassword(ctx, password, toPasswordPerson(owner), owner)
  return await hashPassword(ctx, password, 'person')
}

/**
 * Checks and hashes a new password of a person who is not logged in; `replacePassword` then replaces `old` by it. Slow, so call it before
 * the transaction.
 * @returns null if there is no such person. @throws Refusal `password.too-weak`, `service.busy`.
 */
export async function prepareNewPassword(
  ctx: Context,
  userId: string,
  password: string,
): Promise<{ old: string | null; hash: string } | null> {
  const owner = await findOwner(ctx, userId)
  return owner && { old: owner.hash, hash: await checkAndHash(ctx, owner, password) }
}

/** What the rules for a new password need about a person. */
export type PasswordPerson = PasswordOwner & { words: PersonalWords }

/** Null if there is no such person. */
export async function findPasswordPerson(ctx: Context, userId: string): Promise<PasswordPerson | null> {
  const owner = await findOwner(ctx, userId)
  return owner && toPasswordPerson(owner)
}

function toPasswordPerson(owner: PasswordOwnerRow): PasswordPerson {
  const { account, name, namePinyin, nickname, alias, phone, birthday } = owner
  return { ...toPasswordOwner(owner), words: { account, names: [name, namePinyin, nickname, alias], phone, birthday } }
}

/**
 * Requires the current password from whoever uses a person's session. Wrong ones are counted, so that an unattended session can't be used
 * for guessing.
 * @param wrong the error for a wrong one.
 * @throws Refusal `wrong`, `password.too-many-attempts`, `service.busy`.
 */
export async function requireCurrentPassword(
  ctx: Context,
  userId: string,
  password: string,
  wrong: Refusal,
): Promise<void> {
  const owner = await findOwner(ctx, userId)
  await requireMatchingPassword(ctx, { userId, hash: owner?.hash ?? null, password, wrong })
}

type PasswordProof = { userId: string; hash: string | null; password: string | undefined; wrong: Refusal }

async function requireMatchingPassword(ctx: Context, { userId, hash, password, wrong }: PasswordProof): Promise<void> {
  const policy = await signInPolicy(ctx)
  const key = ctx.secrets.mac(`old-password\n${userId}`)
  const lane = key.toString('base64')
  const loadCounter = () => findCounter(ctx.db, 'old-password', key, windowStart(policy, ctx.now()), ctx.now())
  const slotOf = (counter: AttemptCounter) =>
    isBlocked(counter, ctx.now()) ? null : { lane, free: policy.lockAfterFailures - counter.failures }
  await withAttemptSlot(loadCounter, slotOf, async (counter) => {
    if (isBlocked(counter, ctx.now())) throw errors['password.too-many-attempts'](waitOf(policy, counter, ctx.now()))
    if (password === undefined) throw wrong
    if ((await verifyPassword(ctx, password, hash)).right) return await deleteCounter(ctx.db, 'old-password', key)
    const counted = await countFailure(ctx, policy, { kind: 'old-password', key, userId, addressKey: null })
    if (isBlocked(counted, ctx.now())) throw errors['password.too-many-attempts'](waitOf(policy, counted, ctx.now()))
    throw wrong
  })
}
