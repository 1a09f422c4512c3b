import type { SessionEndReason } from '#shared/contract/session-ends.ts'
import type { SessionLimitStep } from '#shared/contract/sign-in.ts'
import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import type { Context } from '../../platform/platform.ts'
import { recordAudit } from '../records/index.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { type LoginRow, listOtherLogins } from './current-logins.store.ts'
import { activityCutoff } from './session-activity.rules.ts'
import { NEWER_LOGIN } from './session-end.store.ts'
import { endSsoSessions, type OpenedSession } from './sso-session.service.ts'

/** The session limit is reached and no login may be ended for this one: the transaction is rolled back. */
export class SessionLimitError extends Error {
  readonly sessionLimit: SessionLimitStep

  constructor(sessionLimit: SessionLimitStep) {
    super('a person has as many logins as are allowed')
    this.sessionLimit = sessionLimit
  }
}

/**
 * Enforces a person's session limit in the transaction that has just opened a session: with their row locked, so that of two at the same
 * moment the second sees the first.
 * @param opened.isNew false: a session was renewed, which is no additional login.
 * @param ends logins that the person chose to end for this one
 * @throws SessionLimitError if the policy rejects an additional login.
 */
export async function limitSessions(
  ctx: Context,
  policy: SignInPolicy,
  { session, isNew }: Pick<OpenedSession, 'session'> & { isNew: boolean },
  ends: readonly string[],
): Promise<void> {
  const { mostSessions, onMoreSessions } = policy
  if (mostSessions === 0) return
  const others = await listOtherLogins(ctx.db, { ...activityCutoff(policy, ctx.now()), ...exceptOwn(session) })
  const chosen = others.filter(({ id }) => ends.includes(id))
  const left = others.filter((one) => !chosen.includes(one))
  const tooMany = left.length + 1 - mostSessions
  if (tooMany > 0 && isNew && onMoreSessions === 'refuse')
    throw new SessionLimitError(toSessionLimitStep(others, mostSessions))
  await end(ctx, session.userId, chosen, { reason: 'ended-by-owner', action: 'session.end' })
  if (tooMany > 0 && onMoreSessions === 'end-oldest')
    await end(ctx, session.userId, left.slice(0, tooMany), { reason: NEWER_LOGIN, action: 'session.end-for-newer' })
}

const exceptOwn = ({ id, userId }: OpenedSession['session']) => ({ userId, exceptId: id })

/** The logins to choose from before another one is possible; null: there is room by now. */
export async function findSessionLimitStep(ctx: Context, userId: string): Promise<SessionLimitStep | null> {
  const policy = await signInPolicy(ctx)
  const { mostSessions, onMoreSessions } = policy
  if (mostSessions === 0 || onMoreSessions !== 'refuse') return null
  const others = await listOtherLogins(ctx.db, { ...activityCutoff(policy, ctx.now()), userId, exceptId: null })
  return others.length < mostSessions ? null : toSessionLimitStep(others, mostSessions)
}

const toSessionLimitStep = (others: readonly LoginRow[], most: number): SessionLimitStep => ({
  most,
  toEnd: others.length + 1 - most,
  logins: others.map(({ id, browser, device, ip, lastSeenAt }) => ({
    id,
    browser,
    device,
    ip,
    lastSeen: lastSeenAt.toISOString(),
  })),
})

async function end(
  ctx: Context,
  userId: string,
  logins: readonly LoginRow[],
  { reason, action }: { reason: SessionEndReason; action: 'session.end' | 'session.end-for-newer' },
): Promise<void> {
  if (logins.length === 0) return
  const { length: ended } = await endSsoSessions(ctx, { ids: logins.map(({ id }) => id) }, reason)
  const devices = logins.map(({ browser, device, ip }) => [browser, device, ip].filter(Boolean).join(' · '))
  const after = action === 'session.end' ? { ended } : { ended, device: devices.slice(0, MAX_NAMED).join(', ') }
  await recordAudit(ctx, { action, targetKind: 'user', targetId: userId, after, actor: userId })
}

/** Devices named in the record. */
const MAX_NAMED = 20
