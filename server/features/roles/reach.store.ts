import type { Db } from '../../platform/db.ts'
import { countUpTo10000, type Total } from '../../platform/list.ts'

/** Counts stop here. */
const MAX_COUNTED = 10_001

export type ReachSubjects = { userIds: string[]; roleIds: string[]; organizationIds: string[]; categoryIds: string[] }

/**
 * SQL query: the people covered by these people, roles, organisations and categories, each of them once. At most 10,001 people are read per
 * path, so that a university costs as much as a department.
 */
export const reachedPeople = (db: Db, { userIds, roleIds, organizationIds, categoryIds }: ReachSubjects) => db`
  select distinct w.id from (
    (select u.id from users u where u.id = any(${userIds}::uuid[]) and u.deleted_at is null limit ${MAX_COUNTED})
    union all
    (select u.id from role_members m join users u on u.id = m.user_id
      where m.role_id = any(${roleIds}::uuid[]) and u.deleted_at is null limit ${MAX_COUNTED})
    union all
    (select u.id from (${groupIds(db, roleIds, categoryIds, 'category')}) c join users u on u.category_id = c.id
      where u.deleted_at is null limit ${MAX_COUNTED})
    union all
    (select u.id from (${organizationsBelow(db, roleIds, organizationIds)}) b join users u on u.organization_id = b.id
      where u.deleted_at is null limit ${MAX_COUNTED})
    union all
    (select u.id from (${organizationsBelow(db, roleIds, organizationIds)}) b
        join user_organizations uo on uo.organization_id = b.id join users u on u.id = uo.user_id
      where u.deleted_at is null limit ${MAX_COUNTED})
  ) w`

/** How many those are. */
export const countReached = (db: Db, subjects: ReachSubjects): Promise<Total> =>
  countUpTo10000(db, reachedPeople(db, subjects))

const groupIds = (db: Db, roleIds: string[], ids: string[], kind: 'organization' | 'category') => db`
  select unnest(${ids}::uuid[]) as id
  union
  select subject_id from role_member_groups where role_id = any(${roleIds}::uuid[]) and kind = ${kind}`

const organizationsBelow = (db: Db, roleIds: string[], ids: string[]) => db`
  select b.id from organizations b
  where b.ancestor_ids && array(${groupIds(db, roleIds, ids, 'organization')})`
