import type { Db, SqlFragment } from '../../platform/db.ts'

type UserOrganizations = { id: string; secondaryOrganizationIds: readonly string[] }

export async function replaceSecondaryOrganizations(db: Db, rows: readonly UserOrganizations[]): Promise<void> {
  if (rows.length === 0) return
  await db`delete from user_organizations where user_id = any(${rows.map(({ id }) => id)}::uuid[])`
  const pairs = rows.flatMap(({ id, secondaryOrganizationIds }) =>
    secondaryOrganizationIds.map((other) => ({ id, other })),
  )
  if (pairs.length === 0) return
  await db`
    insert into user_organizations (user_id, organization_id)
    select r.id, r.other from jsonb_to_recordset(${JSON.stringify(pairs)}::text::jsonb) as r(id uuid, other uuid)`
}

type MoveUsersInput = { from: string; to: string | null; most: number; now: Date; onlyDeleted?: boolean }

/** Moves the next users of one organisation to another (null: none), deleted ones too. */
export async function moveUsers(db: Db, { from, to, most, now, onlyDeleted = false }: MoveUsersInput) {
  const moved = await db<{ id: string; deleted: boolean }[]>`
    with next as (
      select id from users where organization_id = ${from} ${onlyDeleted ? db`and deleted_at is not null` : db``}
      order by id limit ${most} for no key update)
    update users u set organization_id = ${to}, version = version + 1, updated_at = ${now} from next where u.id = next.id
    returning u.id, u.deleted_at is not null as deleted`
  // A user's first organisation is no secondary one.
  const ids = moved.map(({ id }) => id)
  if (to) await db`delete from user_organizations where organization_id = ${to} and user_id = any(${ids}::uuid[])`
  return moved
}

/** Moves deleted people out of organisations that end, to the parent of each. */
export const moveDeletedUsersUp = (db: Db, organizationIds: readonly string[], now: Date) => db`
  with moved as (
    update users u set organization_id = o.parent_id, version = u.version + 1, updated_at = ${now} from organizations o
    where o.id = u.organization_id and o.id = any(${organizationIds as string[]}::uuid[]) and u.deleted_at is not null
    returning u.id, u.organization_id)
  delete from user_organizations m using moved
  where m.user_id = moved.id and m.organization_id = moved.organization_id`

type MoveMembersInput = { from: string; to: string; most: number; counted: SqlFragment }

/**
 * Moves the next secondary members of the source to the target, unless it is their first organisation already.
 * @returns how many, how many of them are not deleted, and for how many of these `counted` (a condition on `u`) is true.
 */
export async function moveSecondaryMembers(db: Db, { from, to, most, counted }: MoveMembersInput) {
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
