import type { Language } from '#shared/contract/endpoint.ts'
import type { RoleMemberKind } from '#shared/contract/roles.ts'
import type { Db } from '../../platform/db.ts'
import { countUpTo10000, escapeLike, listPage, type PageQuery, type Total } from '../../platform/list.ts'
import { localized } from '../../platform/localized.ts'
import { hasRole } from '../access/index.ts'

type MemberRow = {
  id: string
  kind: RoleMemberKind
  code: string
  name: string
  place: string | null
  addedAt: Date | null
  addedBy: string | null
}

export type MemberFilter = { roleId: string; kind: RoleMemberKind; search: string }

/** Members `s` of one kind with the row `m` of their membership. */
function membersMatching(db: Db, { roleId, kind, search }: MemberFilter) {
  const part = `%${escapeLike(search)}%`
  const lower = `${escapeLike(search.toLowerCase())}%`
  if (kind === 'user') {
    return db`
      from role_members m join users s on s.id = m.user_id
      where m.role_id = ${roleId} and s.deleted_at is null
        ${search ? db`and (lower(s.account) like ${lower} or s.name ilike ${part} or s.name_pinyin like ${lower} or s.name_initials like ${lower})` : db``}`
  }
  const table = kind === 'organization' ? db`organizations` : db`user_categories`
  return db`
    from role_member_groups m join ${table} s on s.id = m.subject_id
    where m.role_id = ${roleId} and m.kind = ${kind}
      ${search ? db`and (s.code ilike ${part} or s.name ilike ${part} or exists (select from jsonb_each_text(s.names) n where n.value ilike ${part}))` : db``}`
}

export const countMembers = (db: Db, filter: MemberFilter): Promise<Total> =>
  countUpTo10000(db, db`select 1 ${membersMatching(db, filter)}`)

function memberColumns(db: Db, kind: RoleMemberKind, language: Language) {
  const adder = db`(select b.name from users b where b.id = m.added_by)`
  const added = db`m.added_at, ${adder} as added_by`
  if (kind === 'user') {
    const place = db`(select ${localized(db, 'p', language)} from organizations p where p.id = s.organization_id)`
    return db`s.id, ${kind} as kind, s.account as code, s.name, ${place} as place, ${added}`
  }
  const place =
    kind === 'organization'
      ? db`(select ${localized(db, 'p', language)} from organizations p where p.id = s.parent_id)`
      : db`null::text`
  return db`s.id, ${kind} as kind, s.code, ${localized(db, 's', language)} as name, ${place} as place, ${added}`
}

type Order = { sort: 'code' | 'addedAt'; descending: boolean; language: Language }

export function pageOfMembers(db: Db, filter: MemberFilter, order: Order, query: PageQuery) {
  const from = membersMatching(db, filter)
  return listPage(db, query, from, ({ asc, bounds, isReversed }) => {
    const direction = order.descending === isReversed ? db`asc nulls first` : db`desc nulls last`
    const code = filter.kind === 'user' ? db`s.account` : db`s.code`
    // An exact match of the code comes first.
    const exact = filter.search ? db`lower(${code}) <> ${filter.search.toLowerCase()} ${asc},` : db``
    return db<MemberRow[]>`
      select ${memberColumns(db, filter.kind, order.language)} ${from}
      order by ${exact} ${order.sort === 'code' ? code : db`m.added_at`} ${direction}, s.id ${direction} ${bounds}`
  })
}

export type NamedSubject = { id: string; code: string; name: string }

/** Which of these people, organisations or categories exist, locked until the transaction ends: a group has no foreign key. */
export function listExistingSubjects(db: Db, kind: RoleMemberKind, ids: readonly string[]) {
  if (kind === 'user')
    return db<NamedSubject[]>`
      select id, account as code, name from users where id = any(${ids as string[]}::uuid[]) and deleted_at is null`
  const table = kind === 'organization' ? db`organizations` : db`user_categories`
  return db<NamedSubject[]>`
    select id, code, name from ${table} where id = any(${ids as string[]}::uuid[]) order by id for key share`
}

type NewMembers = { roleId: string; kind: RoleMemberKind; ids: readonly string[]; at: Date; by: string | null }

/** @returns those that were not members before */
export function insertMembers(db: Db, { roleId, kind, ids, at, by }: NewMembers) {
  if (kind === 'user')
    return db<{ id: string }[]>`
      insert into role_members (role_id, user_id, added_at, added_by)
      select ${roleId}, id, ${at}, ${by} from unnest(${ids as string[]}::uuid[]) id
      on conflict do nothing returning user_id as id`
  return db<{ id: string }[]>`
    insert into role_member_groups (role_id, kind, subject_id, added_at, added_by)
    select ${roleId}, ${kind}, id, ${at}, ${by} from unnest(${ids as string[]}::uuid[]) id
    on conflict do nothing returning subject_id as id`
}

/** @returns those that were members */
export function deleteMembers(db: Db, { roleId, kind, ids }: Pick<NewMembers, 'roleId' | 'kind' | 'ids'>) {
  if (kind === 'user')
    return db<{ id: string }[]>`
      delete from role_members where role_id = ${roleId} and user_id = any(${ids as string[]}::uuid[])
      returning user_id as id`
  return db<{ id: string }[]>`
    delete from role_member_groups
    where role_id = ${roleId} and kind = ${kind} and subject_id = any(${ids as string[]}::uuid[])
    returning subject_id as id`
}

/** Without a limit: the size of the work to be done. */
export async function countAllMembers(db: Db, filter: MemberFilter): Promise<number> {
  const [row] = await db<{ count: number }[]>`select count(*)::int as count ${membersMatching(db, filter)}`
  return row?.count ?? 0
}

/** The next members that match the filter, in id order; `after` null: the first. */
export async function listMemberIds(
  db: Db,
  filter: MemberFilter,
  { after, most }: { after: string | null; most: number },
): Promise<string[]> {
  const id = filter.kind === 'user' ? db`m.user_id` : db`m.subject_id`
  const rows = await db<{ id: string }[]>`
    select s.id ${membersMatching(db, filter)} ${after ? db`and ${id} > ${after}` : db``} order by ${id} limit ${most}`
  return rows.map((row) => row.id)
}

/** Groups of a role by their codes, for restoring a former state; locked until the transaction ends. */
export const lockGroupsByCode = (db: Db, kind: 'organization' | 'category', codes: readonly string[]) => db<
  NamedSubject[]
>`
  select id, code, name from ${kind === 'organization' ? db`organizations` : db`user_categories`}
  where code = any(${codes as string[]}) order by id for key share`

export const listGroupIds = (db: Db, roleId: string) => db<{ kind: 'organization' | 'category'; id: string }[]>`
  select kind, subject_id as id from role_member_groups where role_id = ${roleId} order by kind, subject_id limit 100000`

export type PersonRoles = { userId: string; roleIds: string[] }

/** The roles that people have by name. */
export const listDirectRoles = (db: Db, userIds: readonly string[]) => db<PersonRoles[]>`
  select user_id, array_agg(role_id order by role_id) as role_ids from role_members
  where user_id = any(${userIds as string[]}::uuid[]) group by user_id`

type UserRole = { userId: string; roleId: string }

const userRoleRows = (db: Db, pairs: readonly UserRole[]) => db`
  unnest(${pairs.map(({ userId }) => userId)}::uuid[], ${pairs.map(({ roleId }) => roleId)}::uuid[]) as p(user_id, role_id)`

export const insertUserRoles = (db: Db, pairs: readonly UserRole[], at: Date, by: string | null) => db`
  insert into role_members (role_id, user_id, added_at, added_by)
  select p.role_id, p.user_id, ${at}, ${by} from ${userRoleRows(db, pairs)} on conflict do nothing`

export const deleteUserRoles = (db: Db, pairs: readonly UserRole[]) => db`
  delete from role_members m using ${userRoleRows(db, pairs)} where m.role_id = p.role_id and m.user_id = p.user_id`

/** A person's relation to a role: a member by name, or a member in any way. */
export type MembershipState = {
  id: string
  account: string
  name: string
  isDeleted: boolean
  isMember: boolean
  isReached: boolean
}

export const listMembershipStates = (db: Db, roleId: string, ids: readonly string[]) => db<MembershipState[]>`
  select u.id, u.account, u.name, u.deleted_at is not null as is_deleted,
    exists (select from role_members m where m.role_id = r.id and m.user_id = u.id) as is_member,
    ${hasRole(db, roleId)} as is_reached
  from roles r, users u left join organizations o on o.id = u.organization_id
  where r.id = ${roleId} and u.id = any(${ids as string[]}::uuid[])`

/** Gives users exactly these roles by name, without recording when or by whom: for what a file says about them. */
export async function replaceDirectRoles(
  db: Db,
  rows: readonly { id: string; roleIds: readonly string[] }[],
): Promise<void> {
  await db`delete from role_members where user_id = any(${rows.map(({ id }) => id)}::uuid[])`
  const members = rows.flatMap(({ id, roleIds }) => roleIds.map((roleId) => ({ id, roleId })))
  await db`
    insert into role_members (role_id, user_id)
    select r."roleId", r.id from jsonb_to_recordset(${JSON.stringify(members)}::text::jsonb) as r("roleId" uuid, id uuid)`
}

/** Gives an organisation the roles of another one that ends. */
export async function moveGroupMemberships(db: Db, from: string, to: string): Promise<void> {
  await db`
    insert into role_member_groups (role_id, kind, subject_id, added_at, added_by)
    select role_id, kind, ${to}, added_at, added_by from role_member_groups where kind = 'organization' and subject_id = ${from}
    on conflict do nothing`
}
