import type { z } from 'zod'
import type { CurrentLogin, listCurrentLogins, listMyLogins } from '#shared/contract/sessions.ts'
import type { Input } from '../../platform/http/mount.ts'
import { addressFilter, planEachAnew, stretchOf, type Total } from '../../platform/list.ts'
import { type Context, callerOf, transaction } from '../../platform/platform.ts'
import { waysToMean } from '../name-search/index.ts'
import { myLogin, recordAudit } from '../records/index.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import {
  countCurrentLogins,
  countMyLogins,
  idsOfLogins,
  type LoginRow,
  loginsOf,
  type Moment,
  ownersOf,
  pageOfMyLogins,
} from './current-logins.store.ts'
import { errors } from './session.errors.ts'
import { endSsoSessions } from './sso-session.service.ts'

async function moment(ctx: Context): Promise<Moment> {
  const { sessionIdleMinutes } = await signInPolicy(ctx)
  const now = ctx.now()
  return { now, idleSince: new Date(now.getTime() - sessionIdleMinutes * 60_000) }
}

function shown({ openedAt, lastSeenAt, ...row }: LoginRow, currentId: string): z.infer<typeof CurrentLogin> {
  return {
    ...row,
    loginTime: openedAt.toISOString(),
    lastSeen: lastSeenAt.toISOString(),
    current: row.id === currentId,
  }
}

const page = <Row>(records: Row[], total: Total) => ({ records, ...total })

/** The caller's logins that are still good, the one that asks first. @throws Refusal `list.too-deep`. */
export async function myLogins(ctx: Context, query: Input<typeof listMyLogins>['query']) {
  const { userId, ssoSessionId } = callerOf(ctx)
  const mine = { ...(await moment(ctx)), userId, search: query.search, currentId: ssoSessionId }
  const total = await countMyLogins(ctx.db, mine)
  const rows = await pageOfMyLogins(ctx.db, mine, stretchOf(query, total))
  return page(
    rows.map((row) => shown(row, ssoSessionId)),
    total,
  )
}

/**
 * Ends logins of the caller's own; one that has ended already counts for nothing.
 * @throws Refusal `session.not-yours` or `session.is-current`, and then none is ended.
 */
export async function endMine(ctx: Context, ids: string[]): Promise<{ ended: number }> {
  const { userId, ssoSessionId } = callerOf(ctx)
  const wanted = new Set(ids)
  const owners = await ownersOf(ctx.db, [...wanted])
  const mine = owners.filter((owner) => owner.userId === userId)
  if (mine.length !== wanted.size) throw errors['session.not-yours']()
  if (wanted.has(ssoSessionId)) throw errors['session.is-current']()
  return await endOwn(ctx, { ids: [...wanted] })
}

/** Ends all of the caller's logins but the one that asks. */
export async function endMyOthers(ctx: Context): Promise<{ ended: number }> {
  const { userId, ssoSessionId } = callerOf(ctx)
  return await endOwn(ctx, { userId, exceptId: ssoSessionId })
}

/** With the line in the person's own records, unless nothing had to be ended. */
async function endOwn(ctx: Context, which: Parameters<typeof endSsoSessions>[1]): Promise<{ ended: number }> {
  const { userId } = callerOf(ctx)
  return await transaction(ctx, async (inner) => {
    const { length: ended } = await endSsoSessions(inner, which, 'ended-by-owner')
    const audit = { action: 'session.end', targetKind: 'user', targetId: userId, after: { ended } }
    if (ended > 0) await recordAudit(inner, audit)
    return { ended }
  })
}

/**
 * "This wasn't me": every login but the one that asks ends, and the report stands in the records.
 * @throws Refusal `record.not-found` for a login of somebody else, `session.is-current` for the one that asks.
 */
export async function disown(ctx: Context, which: { id: string; loginTime: string }): Promise<{ ended: number }> {
  const { userId, ssoSessionId } = callerOf(ctx)
  const login = await myLogin(ctx, which)
  if (login.ssoSessionId === ssoSessionId) throw errors['session.is-current']()
  return await transaction(ctx, async (inner) => {
    const { length: ended } = await endSsoSessions(inner, { userId, exceptId: ssoSessionId }, 'disowned')
    const device = [login.browser, login.device].filter(Boolean).join(' · ')
    const after = { login: which.id, loggedInAt: which.loginTime, device, address: login.ip, ended }
    await recordAudit(inner, { action: 'login.disown', targetKind: 'user', targetId: userId, after })
    return { ended }
  })
}

/** Everyone who is logged in. @throws Refusal `list.too-deep`. */
export async function currentLogins(ctx: Context, query: Input<typeof listCurrentLogins>['query']) {
  const { ssoSessionId } = callerOf(ctx)
  const { ip, clientType, onCampus } = query
  const search = query.search.normalize('NFKC').trim()
  const filter = {
    ...(await moment(ctx)),
    ip: addressFilter(ip),
    clientType: clientType ?? null,
    onCampus: onCampus === undefined ? null : onCampus === '1',
    ways: search === '' ? null : waysToMean(ctx.db, search, undefined),
    oldestFirst: query.sort === 'loginTime',
  }
  const [rows, total] = await transaction(ctx, async ({ db }) => {
    await planEachAnew(db)
    const count = await countCurrentLogins(db, filter)
    const ids = await idsOfLogins(db, filter, stretchOf(query, count))
    return [await loginsOf(db, ids, ctx.client.language), count] as const
  })
  return page(
    rows.map((row) => ({
      ...shown(row, ssoSessionId),
      userId: row.userId,
      account: row.account,
      name: row.name,
      organization: row.organization,
    })),
    total,
  )
}

/**
 * An administrator ends logins of anyone: refused by every node from the commit on, single logout queued, each with its audit line.
 * @throws Refusal `session.is-current` when the administrator's own is among them, and then none is ended.
 */
export async function kickOutLogins(ctx: Context, ids: string[]): Promise<{ ended: number }> {
  const { ssoSessionId } = callerOf(ctx)
  if (ids.includes(ssoSessionId)) throw errors['session.is-current']()
  return await transaction(ctx, async (inner) => {
    const ended = new Set(await endSsoSessions(inner, { ids }, 'kicked-out'))
    const owners = await ownersOf(inner.db, [...ended])
    await Promise.all(
      owners.map(({ id, ...owner }) => {
        const target = { targetKind: 'session', targetId: id, userId: owner.userId }
        return recordAudit(inner, { action: 'session.kick-out', ...target, before: owner })
      }),
    )
    return { ended: ended.size }
  })
}
