import type { PendingQuery, Row } from 'postgres'
import type { Language } from '#shared/contract/endpoint.ts'
import type { OrganizationEffects } from '#shared/contract/organization-endings.ts'
import type { Db } from '../../platform/db.ts'
import { peopleBy } from './people-counts.store.ts'

type Sql = PendingQuery<Row[]>

const MOST_NAMED = 10

/** SQL value: how many belong to the organisation beside, of whom `counted` (over `u`) is true. */
export const membersOf = (db: Db, id: string, counted: Sql): Sql => db`
  (select count(*)::int from user_organizations m join users u on u.id = m.user_id
    where m.organization_id = ${id} and u.deleted_at is null and ${counted})`

type Asked = { language: Language; now: Date; members: Sql }

/** Whom and what an organisation's end concerns. @param members Of people who belong there beside, how many count. */
export async function findEffects(db: Db, id: string, { language, now, members }: Asked): Promise<OrganizationEffects> {
  const grants = db`
    from application_grants g join applications a on a.id = g.application_id
    where g.subject_kind = 'organization' and g.subject_id = ${id}`
  const [row] = await db<OrganizationEffects[]>`
    select
      (select coalesce(sum(c.people), 0)::int from ${peopleBy(db, 'organization')} c where c.id = ${id}) as people,
      (select coalesce(sum(c.people), 0)::int from organizations d join ${peopleBy(db, 'organization')} c on c.id = d.id
        where d.ancestor_ids @> array[${id}::uuid] and d.id <> ${id}) as "peopleBelow",
      (select count(*)::int from organizations where parent_id = ${id}) as children,
      (select count(*)::int from organizations where ancestor_ids @> array[${id}::uuid] and id <> ${id}) as descendants,
      ${members} as "secondaryMembers",
      (select count(*)::int from role_member_groups where kind = 'organization' and subject_id = ${id}) as roles,
      (select count(*)::int ${grants}) as grants,
      array(select coalesce(a.names->>${language}, a.name) ${grants} order by a.position, a.app_id limit ${MOST_NAMED}) as applications,
      (select count(*)::int from delegations where organization_id = ${id}
        and (valid_until is null or valid_until > ${now})) as delegations`
  if (!row) throw new Error('a row of counts has no condition')
  return row
}

/** Is there anybody in the organisation whom `manageable` (a condition on `u`) leaves out? */
export async function hasOthers(db: Db, id: string, manageable: Sql): Promise<boolean> {
  const rows = await db`
    select from users u where u.organization_id = ${id} and u.deleted_at is null and not ${manageable} limit 1`
  return rows.length > 0
}

type Size = {
  /** Deleted ones too. */
  people: number
  /** Who belong there beside. */
  members: number
  /** Those of them whom the caller may know of, and who are not deleted. */
  secondaryMembers: number
  /** Organisations right below. */
  children: number
}

/** How much an ending concerns. @param counted As the members of `findEffects`. */
export async function sizeOf(db: Db, id: string, counted: Sql): Promise<Size> {
  const [row] = await db<Size[]>`
    select (select count(*)::int from users where organization_id = ${id}) as people,
      (select count(*)::int from user_organizations where organization_id = ${id}) as members,
      ${counted} as "secondaryMembers",
      (select count(*)::int from organizations where parent_id = ${id}) as children`
  if (!row) throw new Error('a row of counts has no condition')
  return row
}

type Step = { from: string; to: string | null; most: number; now: Date; onlyDeleted?: boolean }

/** Files the next people of one organisation under another (null: none), deleted ones too. */
export async function movePeople(db: Db, { from, to, most, now, onlyDeleted = false }: Step) {
  const moved = await db<{ id: string; deleted: boolean }[]>`
    with next as (
      select id from users where organization_id = ${from} ${onlyDeleted ? db`and deleted_at is not null` : db``}
      order by id limit ${most} for no key update)
    update users u set organization_id = ${to}, version = version + 1, updated_at = ${now} from next where u.id = next.id
    returning u.id, u.deleted_at is not null as deleted`
  // Nobody belongs beside to what is their own.
  const ids = moved.map(({ id }) => id)
  if (to) await db`delete from user_organizations where organization_id = ${to} and user_id = any(${ids}::uuid[])`
  return moved
}

export async function hasPeople(db: Db, id: string): Promise<boolean> {
  const rows = await db`select from users where organization_id = ${id} limit 1`
  return rows.length > 0
}

type MemberStep = Pick<Step, 'from' | 'most'> & { to: string; counted: Sql }

/**
 * The next people who belong to the source beside belong so to the target, unless it is their own organisation already.
 * @returns how many, how many of them are not deleted, and how many of these `counted` (over `u`) lets in.
 */
export async function moveSecondaryMembers(db: Db, { from, to, most, counted }: MemberStep) {
  const [row] = await db<{ moved: number; living: number; seen: number }[]>`
    with next as (
      select user_id from user_organizations where organization_id = ${from} order by user_id limit ${most}),
    gone as (
      delete from user_organizations m using next n where m.organization_id = ${from} and m.user_id = n.user_id
      returning m.user_id),
    kept as (
      insert into user_organizations (user_id, organization_id)
      select u.id, ${to} from gone g join users u on u.id = g.user_id where u.organization_id is distinct from ${to}
      on conflict do nothing)
    select count(*)::int as moved, count(*) filter (where u.deleted_at is null)::int as living,
      count(*) filter (where u.deleted_at is null and ${counted})::int as seen
    from gone g join users u on u.id = g.user_id`
  return row ?? { moved: 0, living: 0, seen: 0 }
}

/** What the target has itself stays as it is; a longer or earlier term of the source's makes it longer. */
export async function moveGrants(db: Db, from: string, to: string): Promise<void> {
  await db`
    insert into application_grants as g (application_id, subject_kind, subject_id, valid_from, valid_until, granted_at, granted_by)
    select application_id, subject_kind, ${to}, valid_from, valid_until, granted_at, granted_by
    from application_grants where subject_kind = 'organization' and subject_id = ${from}
    on conflict (application_id, subject_kind, subject_id) do update set
      valid_from = case when g.valid_from is null or excluded.valid_from is null then null else least(g.valid_from, excluded.valid_from) end,
      valid_until = case when g.valid_until is null or excluded.valid_until is null then null else greatest(g.valid_until, excluded.valid_until) end,
      version = g.version + 1`
}

export const moveRoleMemberships = (db: Db, from: string, to: string) => db`
  insert into role_member_groups (role_id, kind, subject_id, added_at, added_by)
  select role_id, kind, ${to}, added_at, added_by from role_member_groups where kind = 'organization' and subject_id = ${from}
  on conflict do nothing`

type Delegation = { id: string; userId: string }

/** Who administers the target already goes on as before; the others come to it with what they had. @returns those who came. */
export const moveDelegations = (db: Db, from: string, to: string, now: Date) => db<Delegation[]>`
  update delegations d set organization_id = ${to}, version = version + 1, updated_at = ${now}
  where organization_id = ${from}
    and not exists (select from delegations other where other.user_id = d.user_id and other.organization_id = ${to})
  returning id, user_id as "userId"`

export const deleteDelegations = (db: Db, organizationId: string) => db<Delegation[]>`
  delete from delegations where organization_id = ${organizationId} returning id, user_id as "userId"`
