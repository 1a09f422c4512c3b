import type { Administrator } from '#shared/contract/administrators.ts'
import type { Language } from '#shared/contract/endpoint.ts'
import { PERMISSIONS, type Permission } from '#shared/contract/permissions.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'
import { escapeLike, listPage, type Page, type PageQuery, sortedBy } from '../../platform/list.ts'
import { localized } from '../../platform/localized.ts'

export type AdministratorRow = {
  id: string
  kind: Administrator['kind']
  userId: string
  account: string
  name: string
  organizationId: string | null
  organizationPath: string[]
  permissions: Permission[]
  validFrom: Date | null
  validUntil: Date | null
  state: Administrator['state']
  grantedBy: string | null
  grantedAt: Date | null
  version: number
}

/** SQL value: the names from the root down to `organizations o`, in a language. */
const pathOf = (db: Db, language: Language): SqlFragment => db`
  array(select ${localized(db, 'po', language)} from unnest(o.ancestor_ids) with ordinality a(id, position)
    join organizations po on po.id = a.id order by a.position)`

/** Super users and appointments as rows of one shape; paths are computed only for the rows of a page. */
const allAdministrators = (db: Db, now: Date): SqlFragment => db`
  select u.id, 'super' as kind, u.id as user_id, u.account, u.name, u.name_pinyin, u.name_initials, null::uuid as organization_id,
    ${PERMISSIONS as unknown as string[]}::text[] as permissions, null::timestamptz as valid_from, null::timestamptz as valid_until,
    case when u.enabled then 'holds' else 'dormant' end as state, null::uuid as created_by,
    null::timestamptz as created_at, u.version
  from users u where u.is_super_user and u.deleted_at is null
  union all
  select a.id, 'appointed', a.user_id, u.account, u.name, u.name_pinyin, u.name_initials, a.organization_id, a.permissions, a.valid_from,
    a.valid_until,
    case when a.valid_until <= ${now} then 'over' when not u.enabled or u.deleted_at is not null then 'dormant'
      when a.valid_from > ${now} then 'planned' else 'holds' end, a.created_by, a.created_at, a.version
  from appointments a join users u on u.id = a.user_id`

export type AdministratorFilter = {
  search: string
  kind: string | null
  state: string | null
  permission: string | null
  organizationId: string | null
  now: Date
}

function matchingAdministrators(
  db: Db,
  { search, kind, state, permission, organizationId, now }: AdministratorFilter,
): SqlFragment {
  const beginning = `${escapeLike(search.toLowerCase())}%`
  const part = `%${escapeLike(search)}%`
  return db`
    from (${allAdministrators(db, now)}) r left join organizations o on o.id = r.organization_id
    where true
      ${search ? db`and (lower(r.account) like ${beginning} or r.name ilike ${part} or r.name_pinyin like ${beginning} or r.name_initials like ${beginning} or o.name ilike ${part} or lower(o.code) like ${beginning})` : db``}
      ${kind ? db`and r.kind = ${kind}` : db``}
      ${state ? db`and r.state = ${state}` : db``}
      ${permission ? db`and ${permission} = any(r.permissions)` : db``}
      ${organizationId ? db`and (r.organization_id is null or r.organization_id in (select unnest(x.ancestor_ids) from organizations x where x.id = ${organizationId}))` : db``}`
}

const columns = (db: Db, language: Language): SqlFragment => db`
  r.id, r.kind, r.user_id, r.account, r.name, r.organization_id,
  ${pathOf(db, language)} as organization_path, r.permissions, r.valid_from, r.valid_until, r.state,
  (select g.name from users g where g.id = r.created_by) as granted_by, r.created_at as granted_at, r.version`

const SORTS = { account: 'r.account', name: 'r.name', validUntil: 'r.valid_until' } as const

export function pageOfAdministrators(
  db: Db,
  filter: AdministratorFilter,
  { sort, language }: { sort: string; language: Language },
  query: PageQuery,
): Promise<Page<AdministratorRow>> {
  const from = matchingAdministrators(db, filter)
  return listPage(db, query, from, (order) => {
    // An exact match of the account comes first.
    const exact = filter.search ? db`lower(r.account) <> ${filter.search.toLowerCase()} ${order.asc},` : db``
    return db<AdministratorRow[]>`
      select ${columns(db, language)} ${from}
      order by ${exact} ${sortedBy(db, { columns: SORTS, sort, tieBreaker: 'r.id' }, order)} ${order.bounds}`
  })
}

export async function findAppointment(
  db: Db,
  id: string,
  { language, now }: { language: Language; now: Date },
): Promise<AdministratorRow | null> {
  const [row] = await db<AdministratorRow[]>`
    select ${columns(db, language)}
    from (select * from (${allAdministrators(db, now)}) e where e.kind = 'appointed' and e.id = ${id}) r
      left join organizations o on o.id = r.organization_id`
  return row ?? null
}

export type PersonRow = { isSuperUser: boolean; enabled: boolean }

/** A person about to be appointed; locked, so that two appointments of one person are serialised. */
export async function lockPerson(db: Db, id: string): Promise<PersonRow | null> {
  const [row] = await db<PersonRow[]>`
    select is_super_user, enabled from users where id = ${id} and deleted_at is null for no key update`
  return row ?? null
}

export async function lockOrganization(db: Db, id: string): Promise<boolean> {
  const rows = await db`select 1 from organizations where id = ${id} for key share`
  return rows.length > 0
}

export type AppointmentTerms = { permissions: readonly Permission[]; validFrom: Date | null; validUntil: Date | null }

type NewAppointment = AppointmentTerms & { id: string; userId: string; organizationId: string; by: string; at: Date }

/** @returns false if the person already administers this organisation */
export async function insertAppointment(db: Db, a: NewAppointment): Promise<boolean> {
  const inserted = await db`
    insert into appointments (id, user_id, organization_id, permissions, valid_from, valid_until, created_by, created_at, updated_at)
    values (${a.id}, ${a.userId}, ${a.organizationId}, ${a.permissions as string[]}, ${a.validFrom}, ${a.validUntil}, ${a.by}, ${a.at}, ${a.at})
    on conflict (user_id, organization_id) do nothing`
  return inserted.count > 0
}

/** @returns false if it has another version by now, or is deleted */
export async function updateAppointment(
  db: Db,
  id: string,
  version: number,
  { permissions, validFrom, validUntil }: AppointmentTerms,
  now: Date,
): Promise<boolean> {
  const updated = await db`
    update appointments set permissions = ${permissions as string[]}, valid_from = ${validFrom}, valid_until = ${validUntil},
      version = version + 1, updated_at = ${now}
    where id = ${id} and version = ${version}`
  return updated.count > 0
}

export type AppointmentRow = {
  id: string
  userId: string
  account: string
  organizationId: string
  organizationCode: string
  permissions: Permission[]
  validFrom: Date | null
  validUntil: Date | null
}

/** Appointments for the audit, locked until the transaction ends. */
export const lockAppointments = (db: Db, ids: readonly string[]) => db<AppointmentRow[]>`
  select a.id, a.user_id, u.account, a.organization_id, o.code as organization_code, a.permissions,
    a.valid_from, a.valid_until
  from appointments a join users u on u.id = a.user_id join organizations o on o.id = a.organization_id
  where a.id = any(${ids as string[]}::uuid[]) order by a.id for update of a`

export async function updateValidUntil(
  db: Db,
  ids: readonly string[],
  validUntil: Date | null,
  now: Date,
): Promise<void> {
  await db`
    update appointments set valid_until = ${validUntil}, version = version + 1, updated_at = ${now}
    where id = any(${ids as string[]}::uuid[])`
}

export async function deleteAppointments(db: Db, ids: readonly string[]): Promise<void> {
  await db`delete from appointments where id = any(${ids as string[]}::uuid[])`
}

/** The organisations that a person administers now; their ancestors are not visible to them. */
export const listAdministeredOrganizations = (
  db: Db,
  userId: string,
  { language, now }: { language: Language; now: Date },
) => db<{ organizationId: string; organization: string; permissions: Permission[]; validUntil: Date | null }[]>`
  select a.organization_id, ${localized(db, 'o', language)} as organization, a.permissions,
    a.valid_until
  from appointments a join organizations o on o.id = a.organization_id
  where a.user_id = ${userId} and (a.valid_from is null or a.valid_from <= ${now})
    and (a.valid_until is null or a.valid_until > ${now})
  order by o.ancestor_ids limit 200`

type AffectedAppointment = { id: string; userId: string }

/** Existing administrators of the target are unchanged; the others are added with their permissions. @returns those added */
export const moveAppointments = (db: Db, from: string, to: string, now: Date) => db<AffectedAppointment[]>`
  update appointments a set organization_id = ${to}, version = version + 1, updated_at = ${now}
  where organization_id = ${from}
    and not exists (select from appointments other where other.user_id = a.user_id and other.organization_id = ${to})
  returning id, user_id`

export const deleteAppointmentsFor = (db: Db, organizationId: string) => db<AffectedAppointment[]>`
  delete from appointments where organization_id = ${organizationId} returning id, user_id`
