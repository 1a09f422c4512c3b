import type { Db, SqlFragment } from '../../platform/db.ts'
import { type Condition, type ConditionColumns, toSql } from './condition.rules.ts'

export type ScimPerson = {
  id: string
  account: string
  externalId: string | null
  name: string
  nickname: string | null
  mailbox: string | null
  phone: string | null
  enabled: boolean
  /** Code of the category. */
  category: string | null
  /** Name of the department. */
  department: string | null
  version: number
  createdAt: Date
  updatedAt: Date
}

export const PERSON_COLUMNS = [
  'id',
  'externalId',
  'account',
  'name',
  'nickname',
  'mailbox',
  'phone',
  'enabled',
  'category',
  'department',
  'createdAt',
  'updatedAt',
  'group',
] as const
export type PersonColumn = (typeof PERSON_COLUMNS)[number]

const filterColumns = (db: Db): ConditionColumns<PersonColumn> => ({
  id: { kind: 'id', sql: db`u.id` },
  externalId: { kind: 'exact', sql: db`l.external_id` },
  account: { kind: 'word', sql: db`u.account` },
  name: { kind: 'word', sql: db`u.name` },
  nickname: { kind: 'word', sql: db`u.nickname` },
  mailbox: { kind: 'word', sql: db`u.mailbox` },
  phone: { kind: 'phone', sql: db`u.phone` },
  enabled: { kind: 'flag', sql: db`u.enabled` },
  category: { kind: 'word', sql: db`c.code` },
  department: { kind: 'word', sql: db`o.name` },
  createdAt: { kind: 'moment', sql: db`u.created_at` },
  updatedAt: { kind: 'moment', sql: db`u.updated_at` },
  group: {
    kind: 'member',
    any: db`(u.organization_id is not null or exists (select from role_members m where m.user_id = u.id))`,
    has: (
      id,
    ) => db`(u.organization_id = ${id} or exists (select from role_members m where m.user_id = u.id and m.role_id = ${id})
      or exists (select from user_organizations s where s.user_id = u.id and s.organization_id = ${id}))`,
  },
})

/** People as a client sees them: `u` with the department `o`, the category `c` and the link `l`. */
const peopleOf = (db: Db, clientId: string): SqlFragment => db`
  from users u left join organizations o on o.id = u.organization_id left join user_categories c on c.id = u.category_id
    left join scim_user_links l on l.client_id = ${clientId} and l.user_id = u.id
  where u.deleted_at is null and l.hidden_at is null`

const columns = (db: Db): SqlFragment => db`
  u.id, u.account, l.external_id, u.name, u.nickname, u.mailbox, u.phone, u.enabled, c.code as category,
  o.name as department, u.version, u.created_at, u.updated_at`

/** Null: there is nobody whom the client may see. */
export async function findPerson(db: Db, clientId: string, id: string): Promise<ScimPerson | null> {
  const [row] = await db<ScimPerson[]>`select ${columns(db)} ${peopleOf(db, clientId)} and u.id = ${id}`
  return row ?? null
}

export type PersonQuery = { clientId: string; condition: Condition<PersonColumn> }

export async function countPeople(db: Db, { clientId, condition }: PersonQuery): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count ${peopleOf(db, clientId)} and ${toSql(db, condition, filterColumns(db))}`
  return row?.count ?? 0
}

export type Slice = { limit: number; offset: number; after: string | null }

/** In the order of their ids: after `after`, or from an offset. */
export const listPeople = (db: Db, { clientId, condition }: PersonQuery, { limit, offset, after }: Slice) => db<
  ScimPerson[]
>`
  select ${columns(db)} ${peopleOf(db, clientId)} and ${toSql(db, condition, filterColumns(db))}
    ${after === null ? db`` : db`and u.id > ${after}`}
  order by u.id limit ${limit} offset ${offset}`

export type PersonGroup = { userId: string; id: string; name: string; kind: 'role' | 'organization' }

const MAX_GROUPS = 100

/** Organisations and roles of people by name, at most 100 per person. */
export const listGroupsOf = (db: Db, userIds: readonly string[]) => db<PersonGroup[]>`
  select u.id as user_id, g.id, g.name, g.kind
  from unnest(${userIds as string[]}::uuid[]) as u(id) cross join lateral (
    select o.id, o.name, 'organization' as kind from users p join organizations o on o.id = p.organization_id where p.id = u.id
    union all
    select o.id, o.name, 'organization' from user_organizations s join organizations o on o.id = s.organization_id
    where s.user_id = u.id
    union all
    select r.id, r.name, 'role' from role_members m join roles r on r.id = m.role_id where m.user_id = u.id
    limit ${MAX_GROUPS}) g`

export type LinkedPerson = {
  id: string
  account: string
  version: number
  enabled: boolean
  organizationId: string | null
  categoryId: string | null
  isLinked: boolean
  isHidden: boolean
  /** The client disabled them, and nobody has changed that since. */
  isTaken: boolean
}

type Who = { id: string } | { account: string }

/** A person with the client's link, locked until the transaction ends. */
export async function lockPerson(db: Db, clientId: string, who: Who): Promise<LinkedPerson | null> {
  const isMeant = 'id' in who ? db`u.id = ${who.id}` : db`lower(u.account) = ${who.account.toLowerCase()}`
  const [row] = await db<LinkedPerson[]>`
    select u.id, u.account, u.version, u.enabled, u.organization_id, u.category_id,
      l.user_id is not null as is_linked, l.hidden_at is not null as is_hidden,
      coalesce(l.taken_version = u.version and not u.enabled, false) as is_taken
    from users u left join scim_user_links l on l.client_id = ${clientId} and l.user_id = u.id
    where ${isMeant} and u.deleted_at is null order by u.id limit 1 for no key update of u`
  return row ?? null
}

type Word = { word: string; currentId: string | null }
type Found = { id: string; isCode: boolean }[]

/** Departments matching a word, two at most: the current one, that with this code, those with this name. */
export const findDepartments = (db: Db, { word, currentId }: Word): Promise<Found> => db<Found>`
  select id, code = ${word} as is_code from organizations where code = ${word} or name = ${word}
  order by id = ${currentId} desc nulls last, code = ${word} desc, id limit 2`

/** The same for categories. */
export const findCategories = (db: Db, { word, currentId }: Word): Promise<Found> => db<Found>`
  select id, code = ${word} as is_code from user_categories where code = ${word} or name = ${word}
  order by id = ${currentId} desc nulls last, code = ${word} desc, id limit 2`

type UserLink = {
  clientId: string
  userId: string
  /** Undefined: unchanged. */
  externalId: string | null | undefined
  hiddenAt: Date | null
  /** Is it the client that disabled them? */
  isTaken: boolean
}

/** @returns false if the client uses this id for somebody else */
export async function saveUserLink(
  db: Db,
  { clientId, userId, externalId, hiddenAt, isTaken }: UserLink,
): Promise<boolean> {
  if (externalId) {
    const [other] = await db`
      select from scim_user_links l join users u on u.id = l.user_id and u.deleted_at is null
      where l.client_id = ${clientId} and l.external_id = ${externalId} and l.hidden_at is null and l.user_id <> ${userId}`
    if (other) return false
    // For a person who was deleted in the back office.
    await db`
      update scim_user_links set external_id = null
      where client_id = ${clientId} and external_id = ${externalId} and hidden_at is null and user_id <> ${userId}`
  }
  await db`
    insert into scim_user_links as l (client_id, user_id, external_id, hidden_at, taken_version)
    select ${clientId}, u.id, ${externalId ?? null}, ${hiddenAt}, case when ${isTaken} then u.version end from users u where u.id = ${userId}
    on conflict (client_id, user_id) do update set
      external_id = ${externalId === undefined ? db`l.external_id` : db`excluded.external_id`},
      hidden_at = excluded.hidden_at, taken_version = excluded.taken_version`
  return true
}
