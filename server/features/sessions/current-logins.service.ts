import type { z } from 'zod'
import type {
  CurrentLogin,
  CurrentLoginFilters,
  kickOut,
  listCurrentLogins,
  listMyLogins,
} from '#shared/contract/sessions.ts'
import { MINUTE_MS } from '#shared/rules/durations.ts'
import type { Input, Output } from '../../platform/http/mount.ts'
import { forceCustomPlan, parseIpFilter } from '../../platform/list.ts'
import { type Context, callerOf, transaction } from '../../platform/platform.ts'
import { exactPredicates, searchPredicates } from '../name-search/index.ts'
import { getMyLogin, recordAudit, recordAudits } from '../records/index.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import {
  findRangeNetworks,
  type LoginRow,
  listLoginOwners,
  listLoginsByIds,
  type ManagedLoginFilter,
  myLoginsPage,
  pageOfLoginIds,
} from './current-logins.store.ts'
import { errors } from './session.errors.ts'
import { type ActivityCutoff, activityCutoff } from './session-activity.rules.ts'
import { endSsoSessions } from './sso-session.service.ts'

async function loadActivityCutoff(ctx: Context): Promise<ActivityCutoff> {
  return activityCutoff(await signInPolicy(ctx), ctx.now())
}

type OwnLoginRow = LoginRow & { provider: string | null }

function toCurrentLogin(
  { openedAt, lastSeenAt, ...row }: OwnLoginRow,
  currentId: string,
): z.infer<typeof CurrentLogin> {
  return {
    ...row,
    loginTime: openedAt.toISOString(),
    lastSeen: lastSeenAt.toISOString(),
    current: row.id === currentId,
  }
}

/** The caller's valid logins, the one behind this request first. @throws Refusal `list.too-deep`. */
export async function listOwnLogins(ctx: Context, query: Input<typeof listMyLogins>['query']) {
  const { userId, ssoSessionId } = callerOf(ctx)
  const mine = { ...(await loadActivityCutoff(ctx)), userId, search: query.search, currentId: ssoSessionId }
  const page = await myLoginsPage(ctx.db, { ...mine, language: ctx.client.language }, query)
  return { ...page, records: page.records.map((row) => toCurrentLogin(row, ssoSessionId)) }
}

/**
 * Ends logins of the caller's own; one that has already ended is ignored.
 * @throws Refusal `session.not-yours` or `session.is-current`, and then none is ended.
 */
export async function endOwnLogins(ctx: Context, ids: string[]): Promise<{ ended: number }> {
  const { userId, ssoSessionId } = callerOf(ctx)
  const wanted = new Set(ids)
  const owners = await listLoginOwners(ctx.db, [...wanted])
  const mine = owners.filter((owner) => owner.userId === userId)
  if (mine.length !== wanted.size) throw errors['session.not-yours']()
  if (wanted.has(ssoSessionId)) throw errors['session.is-current']()
  return await endLoginsWithAudit(ctx, { ids: [...wanted] })
}

/** Ends all of the caller's logins but the one behind this request. */
export async function endOtherLogins(ctx: Context): Promise<{ ended: number }> {
  const { userId, ssoSessionId } = callerOf(ctx)
  return await endLoginsWithAudit(ctx, { userId, exceptId: ssoSessionId })
}

/** With an audit record in the person's own log, unless nothing had to be ended. */
async function endLoginsWithAudit(
  ctx: Context,
  which: Parameters<typeof endSsoSessions>[1],
): Promise<{ ended: number }> {
  const { userId } = callerOf(ctx)
  return await transaction(ctx, async (inner) => {
    const { length: ended } = await endSsoSessions(inner, which, 'ended-by-owner')
    const audit = { action: 'session.end', targetKind: 'user', targetId: userId, after: { ended } }
    if (ended > 0) await recordAudit(inner, audit)
    return { ended }
  })
}

/**
 * "This wasn't me": ends every login but the one behind this request, and records the report.
 * @throws Refusal `record.not-found` for a login of another person, `session.is-current` for the one behind this request.
 */
export async function disown(ctx: Context, which: { id: string; loginTime: string }): Promise<{ ended: number }> {
  const { userId, ssoSessionId } = callerOf(ctx)
  const login = await getMyLogin(ctx, which)
  if (login.ssoSessionId === ssoSessionId) throw errors['session.is-current']()
  return await transaction(ctx, async (inner) => {
    const { length: ended } = await endSsoSessions(inner, { userId, exceptId: ssoSessionId }, 'disowned')
    const device = [login.browser, login.device].filter(Boolean).join(' · ')
    const after = { login: which.id, loggedInAt: which.loginTime, device, address: login.ip, ended }
    await recordAudit(inner, { action: 'login.disown', targetKind: 'user', targetId: userId, after })
    return { ended }
  })
}

const toFlag = (value: '0' | '1' | undefined): boolean | null => (value === undefined ? null : value === '1')

/** Resolves the filters of a list at this moment. */
export async function managedLoginFilter(ctx: Context, query: CurrentLoginFilters): Promise<ManagedLoginFilter> {
  const cutoff = await loadActivityCutoff(ctx)
  const search = query.search.normalize('NFKC').trim()
  const { idleMinutes, ipRange } = query
  return {
    ...cutoff,
    userId: query.userId ?? null,
    organizationId: query.organizationId ?? null,
    ip: parseIpFilter(query.ip),
    range: ipRange ? await findRangeNetworks(ctx.db, ipRange) : null,
    clientType: query.clientType ?? null,
    onCampus: toFlag(query.onCampus),
    authType: query.authType ?? null,
    factor: query.factor ?? null,
    applicationId: query.applicationId ?? null,
    remembered: toFlag(query.remembered),
    seenBefore: idleMinutes ? new Date(cutoff.now.getTime() - Number(idleMinutes) * MINUTE_MS) : null,
    predicates: search === '' ? null : searchPredicates(ctx.db, search, undefined),
    exact: search === '' ? [] : exactPredicates(ctx.db, search, undefined),
    exceptId: null,
  }
}

/** Everybody who is logged in. @throws Refusal `list.too-deep`. */
export async function listAllLogins(ctx: Context, query: Input<typeof listCurrentLogins>['query']) {
  const { ssoSessionId } = callerOf(ctx)
  const filter = { ...(await managedLoginFilter(ctx, query)), oldestFirst: query.sort === 'loginTime' }
  const page = await transaction(ctx, async ({ db }) => {
    await forceCustomPlan(db)
    const { records, ...total } = await pageOfLoginIds(db, filter, query)
    const ids = records.map(({ id }) => id)
    return { records: await listLoginsByIds(db, ids, ctx.client.language), ...total }
  })
  const records = page.records.map((row) => ({
    ...toCurrentLogin(row, ssoSessionId),
    userId: row.userId,
    account: row.account,
    name: row.name,
    organization: row.organization,
    factor: row.factor,
  }))
  return { ...page, records }
}

/**
 * An administrator ends logins of anybody: every node rejects them from the commit on, single logout is queued, each has its audit record.
 * @throws Refusal `session.is-current` when the administrator's own is among them, and then none is ended.
 */
export async function kickOutLogins(ctx: Context, ids: string[]): Promise<Output<typeof kickOut>> {
  const { ssoSessionId } = callerOf(ctx)
  if (ids.includes(ssoSessionId)) throw errors['session.is-current']()
  return await transaction(ctx, (inner) => kickOutById(inner, ids))
}

/** In the caller's transaction. */
export async function kickOutById(inner: Context, ids: string[]): Promise<Output<typeof kickOut>> {
  const ended = new Set(await endSsoSessions(inner, { ids }, 'kicked-out'))
  const owners = await listLoginOwners(inner.db, [...ended])
  await recordAudits(
    inner,
    owners.map(({ id, ...owner }) => ({
      action: 'session.kick-out',
      targetKind: 'session',
      targetId: id,
      userId: owner.userId,
      before: owner,
    })),
  )
  return { ended: ended.size, ids: [...ended] }
}
