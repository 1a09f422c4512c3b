import type { PendingQuery, Row } from 'postgres'
import type { Administrator } from '#shared/contract/administrators.ts'
import type { Language } from '#shared/contract/endpoint.ts'
import { POWERS, type Power } from '#shared/contract/powers.ts'
import type { Db } from '../../platform/db.ts'
import { countUpTo10000, escapeLike, type PageWindow, type Total } from '../../platform/list.ts'
import { localized } from '../../platform/localized.ts'

type Sql = PendingQuery<Row[]>

export type AdministratorRow = {
  id: string
  kind: Administrator['kind']
  userId: string
  account: string
  name: string
  organizationId: string | null
  organizationPath: string[]
  powers: Power[]
  validFrom: Date | null
  validUntil: Date | null
  state: Administrator['state']
  grantedBy: string | null
  grantedAt: Date | null
  version: number
}

/** SQL value: the names from the root down to `organizations o`, in a language. */
const pathOf = (db: Db, language: Language): Sql => db`
  array(select ${localized(db, 'po', language)} from unnest(o.ancestor_ids) with ordinality a(id, place)
    join organizations po on po.id = a.id order by a.place)`

/** Super users and appointments as rows of one shape; paths are computed only for the rows of a page. */
const allAdministrators = (db: Db, now: Date): Sql => db`
  select u.id, 'super' as kind, u.id as user_id, u.account, u.name, u.name_pinyin, u.name_initials, null::uuid as organization_id,
    ${POWERS as unknown as string[]}::text[] as powers, null::timestamptz as valid_from, null::timestamptz as valid_until,
    case when u.enabled then 'holds' else 'dormant' end as state, null::uuid as created_by,
    null::timestamptz as created_at, u.version
  from users u where u.is_super_user and u.deleted_at is null
  union all
  select d.id, 'delegated', d.user_id, u.account, u.name, u.name_pinyin, u.name_initials, d.organization_id, d.powers, d.valid_from,
    d.valid_until,
    case when d.valid_until <= ${now} then 'over' when not u.enabled or u.deleted_at is not null then 'dormant'
      when d.valid_from > ${now} then 'planned' else 'holds' end, d.created_by, d.created_at, d.version
  from delegations d join users u on u.id = d.user_id`

export type AdministratorFilter = {
  search: string
  kind: string | null
  state: string | null
  power: string | null
  organizationId: string | null
  now: Date
}

function matchingAdministrators(db: Db, { search, kind, state, power, organizationId, now }: AdministratorFilter): Sql {
  const beginning = `${escapeLike(search.toLowerCase())}%`
  const part = `%${escapeLike(search)}%`
  return db`
    from (${allAdministrators(db, now)}) r left join organizations o on o.id = r.organization_id
    where true
      ${search ? db`and (lower(r.account) like ${beginning} or r.name ilike ${part} or r.name_pinyin like ${beginning} or r.name_initials like ${beginning} or o.name ilike ${part} or lower(o.code) like ${beginning})` : db``}
      ${kind ? db`and r.kind = ${kind}` : db``}
      ${state ? db`and r.state = ${state}` : db``}
      ${power ? db`and ${power} = any(r.powers)` : db``}
      ${organizationId ? db`and (r.organization_id is null or r.organization_id in (select unnest(x.ancestor_ids) from organizations x where x.id = ${organizationId}))` : db``}`
}

export const countAdministrators = (db: Db, filter: AdministratorFilter): Promise<Total> =>
  countUpTo10000(db, db`select 1 ${matchingAdministrators(db, filter)}`)

const columns = (db: Db, language: Language): Sql => db`
  r.id, r.kind, r.user_id, r.account, r.name, r.organization_id,
  ${pathOf(db, language)} as "organizationPath", r.powers, r.valid_from, r.valid_until, r.state,
  (select g.name from users g where g.id = r.created_by) as "grantedBy", r.created_at as "grantedAt", r.version`

const ORDERS = { account: 'r.account', name: 'r.name', validUntil: 'r.valid_until' } as const

export type AdministratorOrder = { by: keyof typeof ORDERS; descending: boolean; language: Language }

export async function pageOfAdministrators(
  db: Db,
  filter: AdministratorFilter,
  { by, descending, language }: AdministratorOrder,
  { limit, offset, reverse }: PageWindow,
): Promise<AdministratorRow[]> {
  const direction = descending === reverse ? db`asc` : db`desc`
  const key = db.unsafe(ORDERS[by])
  // An exact match of the account comes first.
  const exact = db`lower(r.account) <> ${filter.search.toLowerCase()} ${reverse ? db`desc` : db`asc`}`
  const rows = await db<AdministratorRow[]>`
    select ${columns(db, language)} ${matchingAdministrators(db, filter)}
    order by ${filter.search ? db`${exact},` : db``} ${key} ${direction}, r.id ${direction} limit ${limit} offset ${offset}`
  return reverse ? rows.toReversed() : [...rows]
}

export async function findDelegation(
  db: Db,
  id: string,
  { language, now }: { language: Language; now: Date },
): Promise<AdministratorRow | null> {
  const [row] = await db<AdministratorRow[]>`
    select ${columns(db, language)}
    from (select * from (${allAdministrators(db, now)}) e where e.kind = 'delegated' and e.id = ${id}) r
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

export type Appointment = { powers: readonly Power[]; validFrom: Date | null; validUntil: Date | null }

type NewDelegation = Appointment & { id: string; userId: string; organizationId: string; by: string; at: Date }

/** @returns false if the person already administers this organisation */
export async function insertDelegation(db: Db, d: NewDelegation): Promise<boolean> {
  const inserted = await db`
    insert into delegations (id, user_id, organization_id, powers, valid_from, valid_until, created_by, created_at, updated_at)
    values (${d.id}, ${d.userId}, ${d.organizationId}, ${d.powers as string[]}, ${d.validFrom}, ${d.validUntil}, ${d.by}, ${d.at}, ${d.at})
    on conflict (user_id, organization_id) do nothing`
  return inserted.count > 0
}

/** @returns false if it has another version by now, or is deleted */
export async function updateDelegation(
  db: Db,
  id: string,
  version: number,
  { powers, validFrom, validUntil }: Appointment,
  now: Date,
): Promise<boolean> {
  const updated = await db`
    update delegations set powers = ${powers as string[]}, valid_from = ${validFrom}, valid_until = ${validUntil},
      version = version + 1, updated_at = ${now}
    where id = ${id} and version = ${version}`
  return updated.count > 0
}

export type DelegationRow = {
  id: string
  userId: string
  account: string
  organizationId: string
  organizationCode: string
  powers: Power[]
  validFrom: Date | null
  validUntil: Date | null
}

/** Appointments for the audit, locked until the transaction ends. */
export const lockDelegations = (db: Db, ids: readonly string[]) => db<DelegationRow[]>`
  select d.id, d.user_id, u.account, d.organization_id, o.code as "organizationCode", d.powers,
    d.valid_from, d.valid_until
  from delegations d join users u on u.id = d.user_id join organizations o on o.id = d.organization_id
  where d.id = any(${ids as string[]}::uuid[]) order by d.id for update of d`

export async function updateValidUntil(
  db: Db,
  ids: readonly string[],
  validUntil: Date | null,
  now: Date,
): Promise<void> {
  await db`
    update delegations set valid_until = ${validUntil}, version = version + 1, updated_at = ${now}
    where id = any(${ids as string[]}::uuid[])`
}

export async function deleteDelegations(db: Db, ids: readonly string[]): Promise<void> {
  await db`delete from delegations where id = any(${ids as string[]}::uuid[])`
}

/** The organisations that a person administers now; their ancestors are not visible to them. */
export const listDelegatedOrganizations = (
  db: Db,
  userId: string,
  { language, now }: { language: Language; now: Date },
) => db<{ organizationId: string; organization: string; powers: Power[]; validUntil: Date | null }[]>`
  select d.organization_id, ${localized(db, 'o', language)} as organization, d.powers,
    d.valid_until
  from delegations d join organizations o on o.id = d.organization_id
  where d.user_id = ${userId} and (d.valid_from is null or d.valid_from <= ${now})
    and (d.valid_until is null or d.valid_until > ${now})
  order by o.ancestor_ids limit 200`
