import type { Db, SqlFragment } from '../../platform/db.ts'
import { toFragment } from '../../platform/statement.ts'

// A scalar subquery instead of `exists`: for that the planner might read everybody for whom it is true.

/** Text of `isWithin`. @param id a column of the statement, or a parameter such as `:id` */
export const withinText = (id: string): string => `(${id} = any(o.ancestor_ids) or coalesce((
  select true from user_organizations uo join organizations so on so.id = uo.organization_id
  where uo.user_id = u.id and ${id} = any(so.ancestor_ids) limit 1), false))`

/** Text of `hasRole`. @param id a column of the statement, or a parameter such as `:id` */
export const roleText = (id: string): string => `(coalesce((
  select true from role_members rm where rm.role_id = ${id} and rm.user_id = u.id
), false) or exists (
  select from role_member_groups rg
  where rg.role_id = ${id}
    and case rg.kind when 'category' then rg.subject_id = u.category_id else ${withinText('rg.subject_id')} end))`

const IS_WITHIN = withinText(':id::uuid')
const HAS_ROLE = roleText(':id::uuid')

/**
 * SQL condition: does the person `u`, whose department is `o` (left-joined), belong to this organisation or one below it? Secondary
 * departments count like the first; they are looked up only if that one doesn't match.
 */
export const isWithin = (db: Db, organizationId: string): SqlFragment =>
  toFragment(db, IS_WITHIN, { id: organizationId })

/** SQL condition: does the person `u`, whose department is `o` (left-joined), have this role, by whatever membership? */
export const hasRole = (db: Db, roleId: string): SqlFragment => toFragment(db, HAS_ROLE, { id: roleId })

/** SQL array: the codes of all roles of the person `u`, whose department is `o` (left-joined), in order. */
export const ROLE_CODES = `array(
  select r.code from roles r
  where r.id in (
    select rm.role_id from role_members rm where rm.user_id = u.id
    union all
    select rg.role_id from role_member_groups rg where rg.subject_id = u.category_id and rg.kind = 'category'
    union all
    select rg.role_id from role_member_groups rg where rg.subject_id = any(o.ancestor_ids) and rg.kind = 'organization'
    union all
    select rg.role_id
    from user_organizations uo join organizations so on so.id = uo.organization_id
      join role_member_groups rg on rg.subject_id = any(so.ancestor_ids) and rg.kind = 'organization'
    where uo.user_id = u.id)
  order by r.code)`
