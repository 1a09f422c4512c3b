import type { Language } from '#shared/contract/endpoint.ts'
import type { OrganizationEffects } from '#shared/contract/organization-endings.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'
import { localized } from '../../platform/localized.ts'
import { peopleCounts } from './people-counts.store.ts'

const MAX_APPLICATIONS_NAMED = 10

/** SQL value: the number of secondary members of the organisation for whom `counted` (over `u`) is true. */
export const secondaryMemberCount = (db: Db, id: string, counted: SqlFragment): SqlFragment => db`
  (select count(*)::int from user_organizations m join users u on u.id = m.user_id
    where m.organization_id = ${id} and u.deleted_at is null and ${counted})`

type EffectsQuery = { language: Language; now: Date; members: SqlFragment }

/** What an organisation's end affects. @param members which secondary members count */
export async function loadEffects(
  db: Db,
  id: string,
  { language, now, members }: EffectsQuery,
): Promise<OrganizationEffects> {
  const grants = db`
    from application_grants g join applications a on a.id = g.application_id
    where g.subject_kind = 'organization' and g.subject_id = ${id}`
  const [row] = await db<OrganizationEffects[]>`
    select
      (select coalesce(sum(c.people), 0)::int from ${peopleCounts(db, 'organization')} c where c.id = ${id}) as people,
      (select coalesce(sum(c.people), 0)::int from organizations d join ${peopleCounts(db, 'organization')} c on c.id = d.id
        where d.ancestor_ids @> array[${id}::uuid] and d.id <> ${id}) as people_below,
      (select count(*)::int from organizations where parent_id = ${id}) as children,
      (select count(*)::int from organizations where ancestor_ids @> array[${id}::uuid] and id <> ${id}) as descendants,
      ${members} as secondary_members,
      (select count(*)::int from role_member_groups where kind = 'organization' and subject_id = ${id}) as roles,
      (select count(*)::int ${grants}) as grants,
      array(select ${localized(db, 'a', language)} ${grants} order by a.position, a.app_id limit ${MAX_APPLICATIONS_NAMED}) as applications,
      (select count(*)::int from appointments where organization_id = ${id}
        and (valid_until is null or valid_until > ${now})) as appointments`
  if (!row) throw new Error('a row of counts has no condition')
  return row
}

/** Is there anybody in the organisation for whom `manageable` (a condition on `u`) is false? */
export async function hasUnmanageablePeople(db: Db, id: string, manageable: SqlFragment): Promise<boolean> {
  const rows = await db`
    select from users u where u.organization_id = ${id} and u.deleted_at is null and not ${manageable} limit 1`
  return rows.length > 0
}

type EndingSize = {
  /** Deleted ones too. */
  people: number
  /** Secondary members. */
  members: number
  /** Those of them who are visible to the caller and not deleted. */
  secondaryMembers: number
  /** Direct children. */
  children: number
}

/** The size of an ending. @param counted as `members` of `loadEffects` */
export async function loadEndingSize(db: Db, id: string, counted: SqlFragment): Promise<EndingSize> {
  const [row] = await db<EndingSize[]>`
    select (select count(*)::int from users where organization_id = ${id}) as people,
      (select count(*)::int from user_organizations where organization_id = ${id}) as members,
      ${counted} as secondary_members,
      (select count(*)::int from organizations where parent_id = ${id}) as children`
  if (!row) throw new Error('a row of counts has no condition')
  return row
}

export async function hasPeople(db: Db, id: string): Promise<boolean> {
  const rows = await db`select from users where organization_id = ${id} limit 1`
  return rows.length > 0
}
