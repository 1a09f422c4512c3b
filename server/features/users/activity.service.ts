import type { listUserRecords, listUserSessions } from '#shared/contract/user-verbs.ts'
import type { Input } from '../../platform/http/mount.ts'
import { stretchOf } from '../../platform/list.ts'
import { type Context, callerOf, transaction } from '../../platform/platform.ts'
import { inScope, mayManage } from '../administrators/index.ts'
import { isReasonTold, recordAudit } from '../records/index.ts'
import { endSsoSessions } from '../sessions/index.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { countRecords, countSessions, openSessionIds, pageOfRecords, pageOfSessions } from './activity.store.ts'
import { errors } from './users.errors.ts'

/** @throws Refusal `user.not-found` for who is out of scope. */
async function refuseStrange(ctx: Context, id: string): Promise<void> {
  const rows = await ctx.db`select from users u where u.id = ${id} and ${inScope(ctx, ctx.db`u.organization_id`)}`
  if (rows.length === 0) throw errors['user.not-found']()
}

/** Where somebody is logged in. @throws Refusal `user.not-found`, `list.too-deep`. */
export async function personSessions(ctx: Context, { id, ...page }: Input<typeof listUserSessions>['query']) {
  await refuseStrange(ctx, id)
  const { sessionIdleMinutes } = await signInPolicy(ctx)
  const now = ctx.now()
  const live = { userId: id, now, idleSince: new Date(now.getTime() - sessionIdleMinutes * 60_000) }
  const total = await countSessions(ctx.db, live)
  const rows = await pageOfSessions(ctx.db, live, stretchOf(page, total))
  const { ssoSessionId } = callerOf(ctx)
  const records = rows.map(({ openedAt, lastSeenAt, ...row }) => ({
    ...row,
    loginTime: openedAt.toISOString(),
    lastSeen: lastSeenAt.toISOString(),
    current: row.id === ssoSessionId,
  }))
  return { records, ...total }
}

/**
 * Ends some logins of a person, or all; not the one that asks.
 * @throws Refusal `user.not-found` for whom the caller may not change, `session.is-current` when that one is named.
 */
export async function endPersonSessions(
  ctx: Context,
  id: string,
  ids: string[] | undefined,
): Promise<{ ended: number }> {
  const { ssoSessionId } = callerOf(ctx)
  if (ids?.includes(ssoSessionId)) throw errors['user.is-self']()
  return await transaction(ctx, async (inner) => {
    const { db } = inner
    const [person] = await db<{ account: string }[]>`
      select u.account from users u where u.id = ${id} and u.deleted_at is null and ${mayManage(inner, 'edit')}`
    if (!person) throw errors['user.not-found']()
    const open = (await openSessionIds(db, id, ids)).filter((one) => one !== ssoSessionId)
    const { length: ended } = await endSsoSessions(inner, { ids: open }, 'kicked-out')
    const line = { action: 'session.kick-out', targetKind: 'user', targetId: id, before: person, after: { ended } }
    if (ended > 0) await recordAudit(inner, line)
    return { ended }
  })
}

/** What somebody's records say. @throws Refusal `user.not-found`, `list.too-deep`. */
export async function personRecords(ctx: Context, { id, kind, ...page }: Input<typeof listUserRecords>['query']) {
  await refuseStrange(ctx, id)
  const total = await countRecords(ctx.db, id, kind)
  const rows = await pageOfRecords(ctx.db, id, kind, stretchOf(page, total))
  const wording = kind === 'login' ? 'auth-type' : 'action'
  const { language } = ctx.client
  const worded = (what: string) => {
    const key = `${wording}.${what}`
    const text = ctx.translate(language, key)
    return text === key ? what : text
  }
  const { isSuperUser } = callerOf(ctx)
  const records = rows.map(({ isOwn, by, ip, detail, ...row }) => ({
    ...row,
    kind,
    detail: kind === 'login' || isSuperUser || isOwn || isReasonTold(row.what) ? detail : '',
    what: worded(row.what),
    at: row.at.toISOString(),
    // An administrator of some organisations does not learn who and where others are.
    by: isSuperUser ? by : null,
    ip: isOwn || isSuperUser ? ip : null,
  }))
  return { records, ...total }
}
