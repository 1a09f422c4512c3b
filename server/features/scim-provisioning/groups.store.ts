import type { Db, SqlFragment } from '../../platform/db.ts'
import { type Condition, type ConditionColumns, toSql } from './condition.rules.ts'
import type { Slice } from './people.store.ts'

export const GROUP_KINDS = ['role', 'organization'] as const
export type GroupKind = (typeof GROUP_KINDS)[number]

export type ScimGroup = {
  id: string
  kind: GroupKind
  code: string
  name: string
  /** For an organisation. */
  parentId: string | null
  externalId: string | null
  /** The client created it. */
  isCreator: boolean
  version: number
  createdAt: Date | null
  updatedAt: Date | null
}

export const GROUP_COLUMNS = [
  'id',
  'externalId',
  'name',
  'kind',
  'code',
  'parent',
  'createdAt',
  'updatedAt',
  'member',
] as const
export type GroupColumn = (typeof GROUP_COLUMNS)[number]

/** SQL condition: is this person a member of `g`, by name? */
const hasMember = (db: Db, id: SqlFragment): SqlFragment => db`(
  exists (select from role_members m where m.role_id = g.id and m.user_id = ${id})
  or exists (select from users p where p.organization_id = g.id and p.id = ${id} and p.deleted_at is null)
  or exists (select from user_organizations s where s.organization_id = g.id and s.user_id = ${id}))`

const filterColumns = (db: Db): ConditionColumns<GroupColumn> => ({
  id: { kind: 'id', sql: db`g.id` },
  externalId: { kind: 'exact', sql: db`l.external_id` },
  name: { kind: 'word', sql: db`g.name` },
  kind: { kind: 'word', sql: db`g.kind` },
  code: { kind: 'word', sql: db`g.code` },
  parent: { kind: 'id', sql: db`g.parent_id` },
  createdAt: { kind: 'moment', sql: db`g.created_at` },
  updatedAt: { kind: 'moment', sql: db`g.updated_at` },
  member: {
    kind: 'member',
    any: db`(exists (select from role_members m where m.role_id = g.id) or exists (select from users p where p.organization_id = g.id and p.deleted_at is null))`,
    has: (id) => hasMember(db, db`${id}::uuid`),
  },
})

/** Groups of these kinds as a client sees them: `g` with its link `l`. */
const groupsOf = (db: Db, clientId: string, kinds: readonly GroupKind[]): SqlFragment => db`
  from (
    select id, 'role' as kind, code, name, null::uuid as parent_id, version, created_at, updated_at from roles
    where ${kinds.includes('role')}
    union all
    select id, 'organization', code, name, parent_id, version, created_at, updated_at from organizations
    where ${kinds.includes('organization')}) g
    left join scim_group_links l on l.client_id = ${clientId} and l.group_id = g.id
  where l.hidden_at is null`

const columns = (db: Db): SqlFragment => db`
  g.id, g.kind, g.code, g.name, g.parent_id, l.external_id, coalesce(l.is_creator, false) as is_creator,
  g.version, g.created_at, g.updated_at`

/** Null: there is none that the client may see. */
export async function findGroup(
  db: Db,
  clientId: string,
  { id, kinds }: { id: string; kinds: readonly GroupKind[] },
): Promise<ScimGroup | null> {
  const [row] = await db<ScimGroup[]>`select ${columns(db)} ${groupsOf(db, clientId, kinds)} and g.id = ${id}`
  return row ?? null
}

export type GroupQuery = { clientId: string; kinds: readonly GroupKind[]; condition: Condition<GroupColumn> }

export async function countGroups(db: Db, { clientId, kinds, condition }: GroupQuery): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count ${groupsOf(db, clientId, kinds)} and ${toSql(db, condition, filterColumns(db))}`
  return row?.count ?? 0
}

/** In the order of their ids. */
export const listGroups = (db: Db, { clientId, kinds, condition }: GroupQuery, { limit, offset, after }: Slice) => db<
  ScimGroup[]
>`
  select ${columns(db)} ${groupsOf(db, clientId, kinds)} and ${toSql(db, condition, filterColumns(db))}
    ${after === null ? db`` : db`and g.id > ${after}`}
  order by g.id limit ${limit} offset ${offset}`

export type GroupMember = { groupId: string; id: string; name: string }

/** Members of these groups by name: per group, at most one more than `most`. */
export const listMembers = (db: Db, groupIds: readonly string[], most: number) => db<GroupMember[]>`
  select g.id as group_id, m.id, m.name
  from unnest(${groupIds as string[]}::uuid[]) as g(id) cross join lateral (
    select p.id, p.name from role_members r join users p on p.id = r.user_id and p.deleted_at is null where r.role_id = g.id
    union all
    select p.id, p.name from users p where p.organization_id = g.id and p.deleted_at is null
    union all
    select p.id, p.name from user_organizations s join users p on p.id = s.user_id and p.deleted_at is null
    where s.organization_id = g.id
    limit ${most + 1}) m`

export type MemberState = { id: string; organizationId: string | null; secondaryIds: string[] }

/** The departments of these people, locked until the transaction ends; deleted ones are missing. */
export async function lockMembers(db: Db, ids: readonly string[]): Promise<MemberState[]> {
  await db`
    select from users where id = any(${ids as string[]}::uuid[]) and deleted_at is null order by id for no key update`
  return await db<MemberState[]>`
    select u.id, u.organization_id,
      array(select s.organization_id from user_organizations s where s.user_id = u.id) as secondary_ids
    from users u where u.id = any(${ids as string[]}::uuid[]) and u.deleted_at is null`
}

type GroupLink = {
  clientId: string
  groupId: string
  /** Undefined: unchanged. */
  externalId?: string | null | undefined
  /** Set when the client creates it. */
  isCreator?: boolean
  hiddenAt?: Date | null
}

/** @returns false if the client uses this id for another group */
export async function saveGroupLink(
  db: Db,
  { clientId, groupId, externalId, isCreator = false, hiddenAt = null }: GroupLink,
): Promise<boolean> {
  if (externalId) {
    const [other] = await db`
      select from scim_group_links l
      where l.client_id = ${clientId} and l.external_id = ${externalId} and l.hidden_at is null and l.group_id <> ${groupId}
        and (exists (select from roles where id = l.group_id) or exists (select from organizations where id = l.group_id))`
    if (other) return false
    // For one that was deleted in the back office.
    await db`
      delete from scim_group_links
      where client_id = ${clientId} and external_id = ${externalId} and hidden_at is null and group_id <> ${groupId}`
  }
  await db`
    insert into scim_group_links as l (client_id, group_id, external_id, is_creator, hidden_at)
    values (${clientId}, ${groupId}, ${externalId ?? null}, ${isCreator}, ${hiddenAt})
    on conflict (client_id, group_id) do update set
      external_id = ${externalId === undefined ? db`l.external_id` : db`excluded.external_id`}, hidden_at = excluded.hidden_at`
  return true
}

export const deleteGroupLinks = (db: Db, groupId: string) =>
  db`delete from scim_group_links where group_id = ${groupId}`

/** Is anything granted to it? Then the client may not delete it. */
export async function isRoleGranted(db: Db, id: string): Promise<boolean> {
  const rows = await db`select from application_grants where subject_kind = 'role' and subject_id = ${id} limit 1`
  return rows.length > 0
}
