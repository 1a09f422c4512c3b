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
import { PERMISSIONS } from '#shared/contract/permissions.ts'
import { errors as common } from '../../platform/errors.ts'
import type { Input } from '../../platform/http/mount.ts'
import { toIso } from '../../platform/iso-time.ts'
import { type Context, callerOf, transaction } from '../../platform/platform.ts'
import { recordAudit, recordAudits } from '../records/index.ts'
import { errors } from './administrators.errors.ts'
import {
  type AdministratorRow,
  type AppointmentRow,
  type AppointmentTerms,
  deleteAppointments,
  findAppointment,
  insertAppointment,
  listAdministeredOrganizations,
  lockAppointments,
  lockOrganization,
  lockPerson,
  pageOfAdministrators,
  updateAppointment,
  updateValidUntil,
} from './administrators.store.ts'
import { revokeIssuedCredentials } from './credential-revocation.service.ts'

const toAdministrator = ({ validFrom, validUntil, grantedAt, ...row }: AdministratorRow): Administrator => ({
  ...row,
  validFrom: toIso(validFrom),
  validUntil: toIso(validUntil),
  grantedAt: toIso(grantedAt),
})

/** Super users and everybody who administers an organisation. @throws Refusal `list.too-deep`. */
export async function administratorsPage(ctx: Context, query: Input<typeof listAdministrators>['query']) {
  const { kind = null, state = null, permission = null, organizationId = null, sort } = query
  const search = query.search.normalize('NFKC')
  const filter = { search, kind, state, permission, organizationId, now: ctx.now() }
  const page = await pageOfAdministrators(ctx.db, filter, { sort, language: ctx.client.language }, query)
  return { ...page, records: page.records.map(toAdministrator) }
}

/** @throws Refusal `administrator.not-found`, also for super users, who have no appointment. */
export async function getAppointment(ctx: Context, id: string): Promise<Administrator> {
  const row = await findAppointment(ctx.db, id, { language: ctx.client.language, now: ctx.now() })
  if (!row) throw errors['administrator.not-found']()
  return toAdministrator(row)
}

type Period = { validFrom: string | null; validUntil: string | null }

/** @throws Refusal `administrator.period-over`, `administrator.period-reversed`. */
function parsePeriod(ctx: Context, period: Period): Pick<AppointmentTerms, 'validFrom' | 'validUntil'> {
  const validFrom = period.validFrom === null ? null : new Date(period.validFrom)
  const validUntil = period.validUntil === null ? null : new Date(period.validUntil)
  if (validUntil && validUntil <= ctx.now()) throw errors['administrator.period-over']()
  if (validFrom && validUntil && validUntil <= validFrom) throw errors['administrator.period-reversed']()
  return { validFrom, validUntil }
}

/** Each once, in the order in which they are declared. */
const sortPermissions = (permissions: readonly string[]) =>
  PERMISSIONS.filter((permission) => permissions.includes(permission))

const toAuditState = (row: AppointmentRow) => ({
  account: row.account,
  organization: row.organizationCode,
  organizationId: row.organizationId,
  permissions: sortPermissions(row.permissions),
  validFrom: toIso(row.validFrom),
  validUntil: toIso(row.validUntil),
})

const auditOf = (row: AppointmentRow, action: string, reason: string | undefined) => ({
  action,
  targetKind: 'appointment',
  targetId: row.id,
  userId: row.userId,
  ...(reason && { reason }),
})

async function lockAppointment(ctx: Context, id: string): Promise<AppointmentRow> {
  const [row] = await lockAppointments(ctx.db, [id])
  if (!row) throw errors['administrator.not-found']()
  return row
}

/** Appoints a person for an organisation with all below it. @throws Refusal of the contract; nothing is written then. */
export async function createAppointment(
  ctx: Context,
  input: Input<typeof appointAdministrator>['body'],
): Promise<Administrator> {
  const { userId, organizationId, reason } = input
  const appointment = { ...parsePeriod(ctx, input), permissions: sortPermissions(input.permissions) }
  const id = v7()
  await transaction(ctx, async (inner) => {
    const person = await lockPerson(inner.db, userId)
    if (!person) throw errors['administrator.person-unknown']()
    if (person.isSuperUser) throw errors['administrator.is-super-user']()
    if (!person.enabled) throw errors['administrator.person-disabled']()
    if (!(await lockOrganization(inner.db, organizationId))) throw errors['administrator.organization-unknown']()
    const { userId: by } = callerOf(ctx)
    const isNew = await insertAppointment(inner.db, { ...appointment, id, userId, organizationId, by, at: ctx.now() })
    if (!isNew) throw errors['administrator.exists']()
    const row = await lockAppointment(inner, id)
    await revokeIssuedCredentials(inner.db, [userId], inner.now())
    await recordAudit(inner, { ...auditOf(row, 'appointment.create', reason), after: toAuditState(row) })
  })
  return await getAppointment(ctx, id)
}

const isOver = (ctx: Context, { validUntil }: AppointmentRow): boolean => validUntil !== null && validUntil <= ctx.now()

/** Does a changed appointment give more than before, or become valid again? */
const givesMorePermissions = (ctx: Context, before: AppointmentRow, after: AppointmentRow): boolean =>
  isOver(ctx, before) || after.permissions.some((permission) => !before.permissions.includes(permission))

/** Changes permissions and period. @throws Refusal `administrator.not-found`, `version.conflict` and those of the period. */
export async function changeAppointment(
  ctx: Context,
  id: string,
  input: z.output<typeof changeAdministrator.body>,
): Promise<Administrator> {
  const appointment = { ...parsePeriod(ctx, input), permissions: sortPermissions(input.permissions) }
  const current = await getAppointment(ctx, id)
  const changed = await transaction(ctx, async (inner) => {
    const before = await lockAppointment(inner, id)
    if (!(await updateAppointment(inner.db, id, input.version, appointment, ctx.now()))) return false
    const after = await lockAppointment(inner, id)
    if (givesMorePermissions(inner, before, after)) await revokeIssuedCredentials(inner.db, [after.userId], inner.now())
    await recordAudit(inner, {
      ...auditOf(after, 'appointment.update', input.reason),
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
    const before = await lockAppointments(inner.db, ids)
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
        ...auditOf(row, 'appointment.update', input.reason),
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
    const rows = await lockAppointments(inner.db, [...new Set(input.ids)])
    await deleteAppointments(
      inner.db,
      rows.map(({ id }) => id),
    )
    await recordAudits(
      inner,
      rows.map((row) => ({ ...auditOf(row, 'appointment.withdraw', input.reason), before: toAuditState(row) })),
    )
    return { withdrawn: rows.length }
  })
}

/** What the caller may do in the back office, freshly read: the page knows only the state at login. */
export async function getMyAdministration(ctx: Context): Promise<z.input<typeof MyAdministration>> {
  const { userId, isSuperUser, permissions } = callerOf(ctx)
  if (isSuperUser) return { isSuperUser: '1', permissions: permissions && [...permissions], places: [] }
  const places = await listAdministeredOrganizations(ctx.db, userId, { language: ctx.client.language, now: ctx.now() })
  return {
    isSuperUser: '0',
    permissions: permissions && [...permissions],
    places: places.map(({ validUntil, ...place }) => ({ ...place, validUntil: toIso(validUntil) })),
  }
}
