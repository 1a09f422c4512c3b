import { v7 } from 'uuid'
import type { z } from 'zod'
import type {
  Administrator,
  appointAdministrator,
  changeAdministrator,
  listAdministrators,
  MyAdministration,
  renewAdministrators,
  withdrawAdministrators,
} from '#shared/contract/administrators.ts'
import { POWERS } from '#shared/contract/powers.ts'
import { errors as common } from '../../platform/errors.ts'
import type { Input } from '../../platform/http/mount.ts'
import { toIso } from '../../platform/iso-time.ts'
import { pageWindow } from '../../platform/list.ts'
import { type Context, callerOf, transaction } from '../../platform/platform.ts'
import { recordAudit, recordAudits } from '../records/index.ts'
import { errors } from './administrators.errors.ts'
import {
  type AdministratorOrder,
  type AdministratorRow,
  type Appointment,
  countAdministrators,
  type DelegationRow,
  deleteDelegations,
  findDelegation,
  insertDelegation,
  listDelegatedOrganizations,
  lockDelegations,
  lockOrganization,
  lockPerson,
  pageOfAdministrators,
  updateDelegation,
  updateValidUntil,
} from './administrators.store.ts'
import { revokeIssuedCredentials } from './credential-revocation.store.ts'

const toAdministrator = ({ validFrom, validUntil, grantedAt, ...row }: AdministratorRow): Administrator => ({
  ...row,
  validFrom: toIso(validFrom),
  validUntil: toIso(validUntil),
  grantedAt: toIso(grantedAt),
})

/** Super users and everybody who administers an organisation. @throws Refusal `list.too-deep`. */
export async function administratorsPage(ctx: Context, query: Input<typeof listAdministrators>['query']) {
  const { kind = null, state = null, power = null, organizationId = null, sort } = query
  const search = query.search.normalize('NFKC')
  const filter = { search, kind, state, power, organizationId, now: ctx.now() }
  const order: AdministratorOrder = {
    by: sort.replace('-', '') as AdministratorOrder['by'],
    descending: sort.startsWith('-'),
    language: ctx.client.language,
  }
  const total = await countAdministrators(ctx.db, filter)
  const rows = await pageOfAdministrators(ctx.db, filter, order, pageWindow(query, total))
  return { records: rows.map(toAdministrator), ...total }
}

/** @throws Refusal `administrator.not-found`, also for super users, who have no appointment. */
export async function getAppointment(ctx: Context, id: string): Promise<Administrator> {
  const row = await findDelegation(ctx.db, id, { language: ctx.client.language, now: ctx.now() })
  if (!row) throw errors['administrator.not-found']()
  return toAdministrator(row)
}

type Period = { validFrom: string | null; validUntil: string | null }

/** @throws Refusal `administrator.period-over`, `administrator.period-reversed`. */
function parsePeriod(ctx: Context, period: Period): Pick<Appointment, 'validFrom' | 'validUntil'> {
  const validFrom = period.validFrom === null ? null : new Date(period.validFrom)
  const validUntil = period.validUntil === null ? null : new Date(period.validUntil)
  if (validUntil && validUntil <= ctx.now()) throw errors['administrator.period-over']()
  if (validFrom && validUntil && validUntil <= validFrom) throw errors['administrator.period-reversed']()
  return { validFrom, validUntil }
}

/** Each once, in the order in which they are declared. */
const sortPowers = (powers: readonly string[]) => POWERS.filter((power) => powers.includes(power))

const toAuditState = (row: DelegationRow) => ({
  account: row.account,
  organization: row.organizationCode,
  organizationId: row.organizationId,
  powers: sortPowers(row.powers),
  validFrom: toIso(row.validFrom),
  validUntil: toIso(row.validUntil),
})

const auditOf = (row: DelegationRow, action: string, reason: string | undefined) => ({
  action,
  targetKind: 'delegation',
  targetId: row.id,
  userId: row.userId,
  ...(reason && { reason }),
})

async function lockDelegation(ctx: Context, id: string): Promise<DelegationRow> {
  const [row] = await lockDelegations(ctx.db, [id])
  if (!row) throw errors['administrator.not-found']()
  return row
}

/** Appoints a person for an organisation with all below it. @throws Refusal of the contract; nothing is written then. */
export async function createAppointment(
  ctx: Context,
  input: Input<typeof appointAdministrator>['body'],
): Promise<Administrator> {
  const { userId, organizationId, reason } = input
  const appointment = { ...parsePeriod(ctx, input), powers: sortPowers(input.powers) }
  const id = v7()
  await transaction(ctx, async (inner) => {
    const person = await lockPerson(inner.db, userId)
    if (!person) throw errors['administrator.person-unknown']()
    if (person.isSuperUser) throw errors['administrator.is-super-user']()
    if (!person.enabled) throw errors['administrator.person-disabled']()
    if (!(await lockOrganization(inner.db, organizationId))) throw errors['administrator.organization-unknown']()
    const { userId: by } = callerOf(ctx)
    const isNew = await insertDelegation(inner.db, { ...appointment, id, userId, organizationId, by, at: ctx.now() })
    if (!isNew) throw errors['administrator.exists']()
    const row = await lockDelegation(inner, id)
    await revokeIssuedCredentials(inner.db, [userId], inner.now())
    await recordAudit(inner, { ...auditOf(row, 'delegation.create', reason), after: toAuditState(row) })
  })
  return await getAppointment(ctx, id)
}

const isOver = (ctx: Context, { validUntil }: DelegationRow): boolean => validUntil !== null && validUntil <= ctx.now()

/** Does a changed appointment give more than before, or become valid again? */
const givesMorePowers = (ctx: Context, before: DelegationRow, after: DelegationRow): boolean =>
  isOver(ctx, before) || after.powers.some((power) => !before.powers.includes(power))

/** Changes permissions and period. @throws Refusal `administrator.not-found`, `version.conflict` and those of the period. */
export async function updateAppointment(
  ctx: Context,
  id: string,
  input: z.output<typeof changeAdministrator.body>,
): Promise<Administrator> {
  const appointment = { ...parsePeriod(ctx, input), powers: sortPowers(input.powers) }
  const current = await getAppointment(ctx, id)
  const changed = await transaction(ctx, async (inner) => {
    const before = await lockDelegation(inner, id)
    if (!(await updateDelegation(inner.db, id, input.version, appointment, ctx.now()))) return false
    const after = await lockDelegation(inner, id)
    if (givesMorePowers(inner, before, after)) await revokeIssuedCredentials(inner.db, [after.userId], inner.now())
    await recordAudit(inner, {
      ...auditOf(after, 'delegation.update', input.reason),
      before: toAuditState(before),
      after: toAuditState(after),
    })
    return true
  })
  if (!changed) throw common['version.conflict']({ data: { current } })
  return await getAppointment(ctx, id)
}

/** Changes the end of appointments. @throws Refusal `administrator.not-found` if one is unknown, and then none is changed. */
export async function renewAppointments(ctx: Context, input: z.output<typeof renewAdministrators.body>) {
  const ids = [...new Set(input.ids)]
  return await transaction(ctx, async (inner) => {
    const before = await lockDelegations(inner.db, ids)
    if (before.length !== ids.length) throw errors['administrator.not-found']()
    for (const { validFrom } of before) {
      parsePeriod(ctx, { validFrom: toIso(validFrom), validUntil: input.validUntil })
    }
    const validUntil = input.validUntil === null ? null : new Date(input.validUntil)
    await updateValidUntil(inner.db, ids, validUntil, ctx.now())
    const revived = before.filter((row) => isOver(inner, row)).map(({ userId }) => userId)
    if (revived.length > 0) await revokeIssuedCredentials(inner.db, revived, inner.now())
    await recordAudits(
      inner,
      before.map((row) => ({
        ...auditOf(row, 'delegation.update', input.reason),
        before: toAuditState(row),
        after: toAuditState({ ...row, validUntil }),
      })),
    )
    return { changed: ids.length }
  })
}

/** Withdraws appointments; the next request of the former administrator is refused, on every node. */
export async function withdrawAppointments(ctx: Context, input: z.output<typeof withdrawAdministrators.body>) {
  return await transaction(ctx, async (inner) => {
    const rows = await lockDelegations(inner.db, [...new Set(input.ids)])
    await deleteDelegations(
      inner.db,
      rows.map(({ id }) => id),
    )
    await recordAudits(
      inner,
      rows.map((row) => ({ ...auditOf(row, 'delegation.withdraw', input.reason), before: toAuditState(row) })),
    )
    return { withdrawn: rows.length }
  })
}

/** What the caller may do in the back office, freshly read: the page knows only the state at login. */
export async function getMyAdministration(ctx: Context): Promise<z.input<typeof MyAdministration>> {
  const { userId, isSuperUser, powers } = callerOf(ctx)
  if (isSuperUser) return { isSuperUser: '1', powers: powers && [...powers], places: [] }
  const places = await listDelegatedOrganizations(ctx.db, userId, { language: ctx.client.language, now: ctx.now() })
  return {
    isSuperUser: '0',
    powers: powers && [...powers],
    places: places.map(({ validUntil, ...place }) => ({ ...place, validUntil: toIso(validUntil) })),
  }
}
