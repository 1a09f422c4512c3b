import type { Language } from '#shared/contract/endpoint.ts'
import { type Db, isConstraintViolation, type SqlFragment } from '../../platform/db.ts'
import { escapeLike, listPage, type PageQuery } from '../../platform/list.ts'
import { localized } from '../../platform/localized.ts'

type LocalizedNames = Record<Language, string>

/** Everything that can be set of a role, with its group members by their codes: the content of audit records. */
export type RoleSnapshot = {
  code: string
  name: string
  names: LocalizedNames
  description: string
  organizations: string[]
  categories: string[]
}

type RoleSnapshotRow = RoleSnapshot & { id: string; version: number }

export const listRoleSnapshots = (db: Db, ids: readonly string[]) => db<RoleSnapshotRow[]>`
  select r.id, r.code, r.name, r.names, r.description, r.version,
    array(select o.code from role_member_groups m join organizations o on o.id = m.subject_id
      where m.role_id = r.id and m.kind = 'organization' order by 1) as organizations,
    array(select c.code from role_member_groups m join user_categories c on c.id = m.subject_id
      where m.role_id = r.id and m.kind = 'category' order by 1) as categories
  from roles r where r.id = any(${ids as string[]}::uuid[])`

/** Until the transaction ends, nobody else can change this role or its members. @returns false if it is deleted */
export async function lockRole(db: Db, id: string): Promise<boolean> {
  const rows = await db`select from roles where id = ${id} for update`
  return rows.length > 0
}

export async function isCodeTaken(db: Db, code: string, exceptId: string | null): Promise<boolean> {
  const rows = await db`select from roles where code = ${code} and id is distinct from ${exceptId}::uuid`
  return rows.length > 0
}

type RoleValues = Omit<RoleSnapshot, 'organizations' | 'categories'> & { pinyin: string; initials: string; now: Date }

/** @returns whether the code was still free. */
export async function insertRole(db: Db, id: string, row: RoleValues): Promise<boolean> {
  const inserted = await db`
    insert into roles (id, code, name, names, description, name_pinyin, name_initials, created_at, updated_at)
    values (${id}, ${row.code}, ${row.name}, ${JSON.stringify(row.names)}::text::jsonb, ${row.description}, ${row.pinyin},
      ${row.initials}, ${row.now}, ${row.now})
    on conflict (code) do nothing`
  return inserted.count > 0
}

/** @returns false if somebody else has taken the code meanwhile; then the transaction must be rolled back */
export async function updateRoleRow(db: Db, id: string, row: RoleValues): Promise<boolean> {
  try {
    await db`
      update roles set code = ${row.code}, name = ${row.name}, names = ${JSON.stringify(row.names)}::text::jsonb,
        description = ${row.description}, name_pinyin = ${row.pinyin}, name_initials = ${row.initials},
        version = version + 1, updated_at = ${row.now}
      where id = ${id}`
    return true
  } catch (error) {
    if (isConstraintViolation(error, 'unique')) return false
    throw error
  }
}

/** Group members are part of the versioned state; people are added and removed without a new version. */
export const bumpRoleVersion = (db: Db, id: string, now: Date) =>
  db`update roles set version = version + 1, updated_at = ${now} where id = ${id}`

export const deleteRoleRow = (db: Db, id: string) => db`delete from roles where id = ${id}`

export type RoleRow = {
  id: string
  code: string
  name: string
  description: string
  people: number
  organizations: number
  categories: number
  applications: number
  updatedAt: Date | null
  version: number
}

export const ROLE_SORTS = ['code', 'name', 'people', 'applications', 'updatedAt'] as const
type RoleSort = (typeof ROLE_SORTS)[number]

type RoleFilter = { search: string; applicationId: string | null; language: Language }

const applicationCount = (db: Db) => db`
  (select count(*)::int from application_grants g join applications a on a.id = g.application_id and a.deleted_at is null
    where g.subject_kind = 'role' and g.subject_id = r.id)`

function rolesMatching(db: Db, { search, applicationId }: RoleFilter) {
  const part = `%${escapeLike(search)}%`
  const lower = `${escapeLike(search.toLowerCase())}%`
  return db`
    from roles r where true
      ${search ? db`and (r.code ilike ${part} or r.name ilike ${part} or r.description ilike ${part} or r.name_pinyin like ${lower} or r.name_initials like ${lower} or exists (select from jsonb_each_text(r.names) n where n.value ilike ${part}))` : db``}
      ${applicationId ? db`and exists (select from application_grants g where g.application_id = ${applicationId} and g.subject_kind = 'role' and g.subject_id = r.id)` : db``}`
}

const roleColumns = (db: Db, language: Language) => db`
  r.id, r.code, ${localized(db, 'r', language)} as name, r.description, r.people,
  (select count(*)::int from role_member_groups m where m.role_id = r.id and m.kind = 'organization') as organizations,
  (select count(*)::int from role_member_groups m where m.role_id = r.id and m.kind = 'category') as categories,
  ${applicationCount(db)} as applications, r.updated_at, r.version`

function sortColumn(db: Db, sort: RoleSort, language: Language) {
  const sorts = {
    code: db`r.code`,
    name: localized(db, 'r', language),
    people: db`r.people`,
    applications: applicationCount(db),
    updatedAt: db`r.updated_at`,
  }
  return sorts[sort]
}

type Order = { sort: RoleSort; descending: boolean }

export function pageOfRoles(db: Db, filter: RoleFilter, { sort, descending }: Order, query: PageQuery) {
  const from = rolesMatching(db, filter)
  return listPage(db, query, from, ({ bounds, isReversed }) => {
    const direction = descending === isReversed ? db`asc nulls first` : db`desc nulls last`
    return db<RoleRow[]>`
      select ${roleColumns(db, filter.language)} ${from}
      order by ${sortColumn(db, sort, filter.language)} ${direction}, r.id ${direction} ${bounds}`
  })
}

export type RoleDetailsRow = RoleRow & { names: LocalizedNames; createdAt: Date | null }

export async function findRole(db: Db, id: string): Promise<RoleDetailsRow | null> {
  const [row] = await db<RoleDetailsRow[]>`
    select ${roleColumns(db, 'en')}, r.name, r.names, r.created_at from roles r where r.id = ${id}`
  return row ?? null
}

type PersonRoleRow = {
  id: string
  code: string
  name: string
  kind: 'user' | 'organization' | 'category'
  via: string | null
}

/** SQL condition: may the caller see the organisation `id` (a column)? */
export type VisibilityCondition = (id: SqlFragment) => SqlFragment

type PersonRolesFilter = { userId: string; search: string; language: Language; maySee: VisibilityCondition }

/**
 * SQL subquery for `cross join lateral`: each path (`role_id`, `kind`, `via`) by which the person `u`, whose department is `o`
 * (left-joined), has a role; `via` names the department or category, unless the reader may not see the department.
 */
export const roleSources = (db: Db, language: Language, maySee: VisibilityCondition) => db`(
  select rm.role_id, 'user' as kind, null::text as via from role_members rm where rm.user_id = u.id
  union all
  select rg.role_id, 'category', ${localized(db, 'c', language)}
  from role_member_groups rg join user_categories c on c.id = rg.subject_id
  where rg.subject_id = u.category_id and rg.kind = 'category'
  union all
  select rg.role_id, 'organization', case when ${maySee(db`p.id`)} then ${localized(db, 'p', language)} end
  from role_member_groups rg join organizations p on p.id = rg.subject_id
  where rg.kind = 'organization' and rg.subject_id in (
    select unnest(o.ancestor_ids)
    union
    select unnest(so.ancestor_ids) from user_organizations uo join organizations so on so.id = uo.organization_id
    where uo.user_id = u.id))`

const personRolesFrom = (db: Db, { userId, search, language, maySee }: PersonRolesFilter) => db`
  from users u left join organizations o on o.id = u.organization_id
    cross join lateral ${roleSources(db, language, maySee)} w join roles r on r.id = w.role_id
  where u.id = ${userId} and u.deleted_at is null
    ${search ? db`and (r.code ilike ${`%${escapeLike(search)}%`} or r.name ilike ${`%${escapeLike(search)}%`})` : db``}`

export function pageOfPersonRoles(db: Db, filter: PersonRolesFilter, query: PageQuery) {
  const from = personRolesFrom(db, filter)
  return listPage(
    db,
    query,
    from,
    ({ asc, bounds }) => db<PersonRoleRow[]>`
      select r.id, r.code, ${localized(db, 'r', filter.language)} as name, w.kind, w.via ${from}
      order by r.code ${asc}, w.kind ${asc}, w.via ${asc} ${bounds}`,
  )
}

/** Roles that were not created in the back office. */
export const listRolesWithoutSearchKeys = (db: Db, most: number) => db<{ id: string; name: string }[]>`
  select id, name from roles where name_pinyin = '' and name ~ '[[:alnum:]]' order by id limit ${most}`

export const updateRoleSearchKeys = (
  db: Db,
  id: string,
  { pinyin, initials }: { pinyin: string; initials: string },
) => db`
  update roles set name_pinyin = ${pinyin}, name_initials = ${initials} where id = ${id} and name_pinyin = ''`

/** Writes code and names of roles, new and existing, as a file says. */
export async function saveRoleNames(
  db: Db,
  rows: readonly { id: string; code: string; name: string; names: object }[],
): Promise<void> {
  await db`
    insert into roles as t (id, code, name, names)
    select r.id, r.code, r.name, r.names
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(id uuid, code text, name text, names jsonb)
    on conflict (id) do update set name = excluded.name, names = excluded.names, version = t.version + 1`
}
