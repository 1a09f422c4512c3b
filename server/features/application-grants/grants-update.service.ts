import type { bindApplications, removeApplications, updateGrant } from '#shared/contract/application-grants.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import type { Input } from '../../platform/http/mount.ts'
import { type Context, callerOf, transaction } from '../../platform/platform.ts'
import { recordAudits } from '../records/index.ts'
import { errors } from './application-grants.errors.ts'
import { getGrant } from './grants.service.ts'
import {
  type ChangedGrantRow,
  deleteGrants,
  findApplicationTypes,
  insertGrants,
  lockGrant,
  updateGrantRow,
} from './grants-update.store.ts'
import { getMember, lockMemberForGrant } from './member.service.ts'
import type { Member } from './member.store.ts'
import { countMemberApplications, listCategories, listSelectableApplications } from './selectable-applications.store.ts'

/** The left list of the dialog. @throws Refusal `application-grant.member-not-found`. */
export async function selectablePage(ctx: Context, { memberId, search }: { memberId: string; search: string }) {
  const member = await getMember(ctx, memberId, 'authorise')
  const { language } = ctx.client
  const [categories, applications, counts] = await Promise.all([
    listCategories(ctx.db, language),
    listSelectableApplications(ctx.db, member, search.normalize('NFKC'), language),
    countMemberApplications(ctx.db, member),
  ])
  return { member, categories: [...categories], applications: [...applications], ...counts }
}

type GrantDatesInput = { validFrom: string | null; validUntil: string | null }

/** @throws Refusal `application-grant.dates` for an end in the past, or not after the beginning. */
function parseGrantDates(ctx: Context, { validFrom, validUntil }: GrantDatesInput) {
  const dates = {
    validFrom: validFrom ? new Date(validFrom) : null,
    validUntil: validUntil ? new Date(validUntil) : null,
  }
  const beginning = dates.validFrom && dates.validFrom > ctx.now() ? dates.validFrom : ctx.now()
  if (dates.validUntil && dates.validUntil <= beginning)
    throw errors['application-grant.dates']({ data: { fields: ['validUntil'] } })
  return dates
}

type RefusedGrant = { appId: string; code: string }

/**
 * Grants applications to a member: all that are left, or some, each checked; what can't be granted is reported.
 * @throws Refusal `application-grant.member-not-found`, `application-grant.dates`; `application-grant.changed-meanwhile` if "all" is
 *   another number than the caller was shown; then nothing is granted.
 */
export async function grantApplications(ctx: Context, body: Input<typeof bindApplications>['body']) {
  const dates = parseGrantDates(ctx, body)
  const appIds = 'appIds' in body ? [...new Set(body.appIds)] : null
  return await transaction(ctx, async (inner) => {
    const member = await lockMemberForGrant(inner, body.memberId)
    const wanted = { member, ...dates, at: inner.now(), by: callerOf(inner).userId }
    const given = await insertGrants(inner.db, wanted, appIds)
    if ('all' in body && given.length !== body.expected) throw errors['application-grant.changed-meanwhile']()
    await recordGrants(inner, 'application-grant.give', member, given)
    const refused = appIds ? await refusedOf(inner, appIds, given, 'application-grant.held-already') : []
    return { changed: given.length, refused }
  })
}

/** @throws as `grantApplications`. */
export async function withdrawApplications(ctx: Context, body: Input<typeof removeApplications>['body']) {
  const appIds = 'appIds' in body ? [...new Set(body.appIds)] : null
  return await transaction(ctx, async (inner) => {
    const member = await getMember(inner, body.memberId, 'authorise')
    const taken = await deleteGrants(inner.db, member, appIds)
    if ('all' in body && taken.length !== body.expected) throw errors['application-grant.changed-meanwhile']()
    await recordGrants(inner, 'application-grant.withdraw', member, taken)
    const refused = appIds ? await refusedOf(inner, appIds, taken, 'application-grant.not-found') : []
    return { changed: taken.length, refused }
  })
}

async function refusedOf(
  ctx: Context,
  wanted: string[],
  done: readonly ChangedGrantRow[],
  reason: string,
): Promise<RefusedGrant[]> {
  const left = wanted.filter((appId) => !done.some((one) => one.appId === appId))
  if (left.length === 0) return []
  const known = new Map((await findApplicationTypes(ctx.db, left)).map((one) => [one.appId, one.type]))
  const openToAll = reason === 'application-grant.held-already' ? 'application-grant.open-to-all' : reason
  return left.map((appId) => {
    const type = known.get(appId)
    if (!type) return { appId, code: 'application-grant.application-not-found' }
    return { appId, code: type === 'whitelist' ? openToAll : reason }
  })
}

type GrantSide = Pick<ChangedGrantRow, 'name' | 'validFrom' | 'validUntil'>

const toAuditSide = (member: Member, { name, validFrom, validUntil }: GrantSide) => ({
  application: name,
  member: { id: member.memberId, kind: member.kind, code: member.code, name: member.name },
  validFrom,
  validUntil,
})

type GrantAction = 'application-grant.give' | 'application-grant.withdraw'

/** A record per application; a person sees those about themselves. */
async function recordGrants(ctx: Context, action: GrantAction, member: Member, rows: readonly ChangedGrantRow[]) {
  await recordAudits(
    ctx,
    rows.map((row) => ({
      action,
      ...targetOf(member, row.applicationId),
      ...(action === 'application-grant.give'
        ? { after: toAuditSide(member, row) }
        : { before: toAuditSide(member, row) }),
    })),
  )
}

const targetOf = (member: Member, applicationId: string) => ({
  targetKind: 'application-grant',
  targetId: applicationId,
  ...(member.kind === 'user' && { userId: member.memberId }),
})

/** @throws Refusal `application-grant.member-not-found`, `application-grant.not-found`, `application-grant.dates`, `version.conflict`. */
export async function updateGrantDates(ctx: Context, body: Input<typeof updateGrant>['body']) {
  const dates = parseGrantDates(ctx, body)
  return await transaction(ctx, async (inner) => {
    const member = await getMember(inner, body.memberId, 'authorise')
    const row = await lockGrant(inner.db, member, body.appId)
    if (!row) throw errors['application-grant.not-found']()
    const { applicationId } = row
    if (row.version !== body.version) {
      throw platformErrors['version.conflict']({ data: { current: await getGrant(inner, member, applicationId) } })
    }
    await updateGrantRow(inner.db, member, { applicationId, ...dates, at: inner.now(), by: callerOf(inner).userId })
    const sides = { before: toAuditSide(member, row), after: toAuditSide(member, { ...row, ...dates }) }
    await recordAudits(inner, [{ action: 'application-grant.change', ...targetOf(member, applicationId), ...sides }])
    return await getGrant(inner, member, applicationId)
  })
}
