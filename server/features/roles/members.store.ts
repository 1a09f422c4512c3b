import type { Language } from '#shared/contract/endpoint.ts'
import type { RoleMemberKind } from '#shared/contract/roles.ts'
import type { Db } from '../../platform/db.ts'
import { countUpTo10000, likeLiteral, type Stretch, type Total } from '../../platform/list.ts'
import { hasRole } from './membership.ts'

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
function membersThatFit(db: Db, { roleId, kind, search }: MemberFilter) {
  const part = `%${likeLiteral(search)}%`
  const lower = `${likeLiteral(search.toLowerCase())}%`
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
  countUpTo10000(db, db`select 1 ${membersThatFit(db, filter)}`)

const nameOf = (db: Db, alias: 's' | 'p', language: Language) =>
  db`coalesce(${db(alias)}.names->>${language}, ${db(alias)}.name)`

function columnsOf(db: Db, kind: RoleMemberKind, language: Language) {
  const adder = db`(select b.name from users b where b.id = m.added_by)`
  const added = db`m.added_at as "addedAt", ${adder} as "addedBy"`
  if (kind === 'user') {
    const place = db`(select ${nameOf(db, 'p', language)} from organizations p where p.id = s.organization_id)`
    return db`s.id, ${kind} as kind, s.account as code, s.name, ${place} as place, ${added}`
  }
  const place =
    kind === 'organization'
      ? db`(select ${nameOf(db, 'p', language)} from organizations p where p.id = s.parent_id)`
      : db`null::text`
  return db`s.id, ${kind} as kind, s.code, ${nameOf(db, 's', language)} as name, ${place} as place, ${added}`
}

type Order = { sort: 'code' | 'addedAt'; descending: boolean; language: Language }

export async function pageOfMembers(db: Db, filter: MemberFilter, order: Order, stretch: Stretch) {
  const direction = order.descending === stretch.reverse ? db`asc nulls first` : db`desc nulls last`
  const code = filter.kind === 'user' ? db`s.account` : db`s.code`
  const rows = await db<MemberRow[]>`
    select ${columnsOf(db, filter.kind, order.language)} ${membersThatFit(db, filter)}
    order by ${order.sort === 'code' ? code : db`m.added_at`} ${direction}, s.id ${direction}
    limit ${stretch.limit} offset ${stretch.offset}`
  return stretch.reverse ? rows.toReversed() : [...rows]
}

export type Named = { id: string; code: string; name: string }

/** Which of these people, organisations or categories there are, until the transaction ends: a group has no foreign key. */
export function existing(db: Db, kind: RoleMemberKind, ids: readonly string[]) {
  if (kind === 'user')
    return db<Named[]>`
      select id, account as code, name from users where id = any(${ids as string[]}::uuid[]) and deleted_at is null`
  const table = kind === 'organization' ? db`organizations` : db`user_categories`
  return db<Named[]>`
    select id, code, name from ${table} where id = any(${ids as string[]}::uuid[]) order by id for key share`
}

type Added = { roleId: string; kind: RoleMemberKind; ids: readonly string[]; at: Date; by: string | null }

/** @returns those that were no members before. */
export function insertMembers(db: Db, { roleId, kind, ids, at, by }: Added) {
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

/** @returns those that were members. */
export function deleteMembers(db: Db, { roleId, kind, ids }: Pick<Added, 'roleId' | 'kind' | 'ids'>) {
  if (kind === 'user')
    return db<{ id: string }[]>`
      delete from role_members where role_id = ${roleId} and user_id = any(${ids as string[]}::uuid[])
      returning user_id as id`
  return db<{ id: string }[]>`
    delete from role_member_groups
    where role_id = ${roleId} and kind = ${kind} and subject_id = any(${ids as string[]}::uuid[])
    returning subject_id as id`
}

/** However many there are: for the length of what is to be done with them. */
export async function countAllMembers(db: Db, filter: MemberFilter): Promise<number> {
  const [row] = await db<{ count: number }[]>`select count(*)::int as count ${membersThatFit(db, filter)}`
  return row?.count ?? 0
}

/** The next members that the filter finds, along their ids; `after` null: the first. */
export async function idsOfMembers(
  db: Db,
  filter: MemberFilter,
  { after, most }: { after: string | null; most: number },
): Promise<string[]> {
  const id = filter.kind === 'user' ? db`m.user_id` : db`m.subject_id`
  const rows = await db<{ id: string }[]>`
    select s.id ${membersThatFit(db, filter)} ${after ? db`and ${id} > ${after}` : db``} order by ${id} limit ${most}`
  return rows.map((row) => row.id)
}

/** Groups of a role by their codes, for what comes back from a former state; they stay until the transaction ends. */
export const groupsWithCodes = (db: Db, kind: 'organization' | 'category', codes: readonly string[]) => db<Named[]>`
  select id, code, name from ${kind === 'organization' ? db`organizations` : db`user_categories`}
  where code = any(${codes as string[]}) order by id for key share`

export const groupIdsOf = (db: Db, roleId: string) => db<{ kind: 'organization' | 'category'; id: string }[]>`
  select kind, subject_id as id from role_member_groups where role_id = ${roleId} order by kind, subject_id limit 100000`

export type PersonRoles = { userId: string; roleIds: string[] }

/** The roles that people have by name. */
export const directRolesOf = (db: Db, userIds: readonly string[]) => db<PersonRoles[]>`
  select user_id as "userId", array_agg(role_id order by role_id) as "roleIds" from role_members
  where user_id = any(${userIds as string[]}::uuid[]) group by user_id`

type Pair = { userId: string; roleId: string }

const pairsOf = (db: Db, pairs: readonly Pair[]) => db`
  unnest(${pairs.map(({ userId }) => userId)}::uuid[], ${pairs.map(({ roleId }) => roleId)}::uuid[]) as p(user_id, role_id)`

export const insertPairs = (db: Db, pairs: readonly Pair[], at: Date, by: string | null) => db`
  insert into role_members (role_id, user_id, added_at, added_by)
  select p.role_id, p.user_id, ${at}, ${by} from ${pairsOf(db, pairs)} on conflict do nothing`

export const deletePairs = (db: Db, pairs: readonly Pair[]) => db`
  delete from role_members m using ${pairsOf(db, pairs)} where m.role_id = p.role_id and m.user_id = p.user_id`

/** How somebody stands towards a role: a member by name, or reached in whatever way. */
export type Standing = {
  id: string
  account: string
  name: string
  isDeleted: boolean
  isMember: boolean
  isReached: boolean
}

export const standingsTowards = (db: Db, roleId: string, ids: readonly string[]) => db<Standing[]>`
  select u.id, u.account, u.name, u.deleted_at is not null as "isDeleted",
    exists (select from role_members m where m.role_id = r.id and m.user_id = u.id) as "isMember",
    ${db.unsafe(hasRole('r.id'))} as "isReached"
  from roles r, users u left join organizations o on o.id = u.organization_id
  where r.id = ${roleId} and u.id = any(${ids as string[]}::uuid[])`
