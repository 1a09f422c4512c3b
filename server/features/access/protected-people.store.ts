import type { Db, SqlFragment } from '../../platform/db.ts'
import { toFragment } from '../../platform/statement.ts'

/**
 * SQL condition: is the person `u` a super user or an administrator? No sync changes them, so none owns their fields: whoever may change a
 * source must not get at the accounts that administer this portal.
 */
export const PROTECTED_TEXT = '(u.is_super_user or exists (select from appointments held where held.user_id = u.id))'

export const isProtected = (db: Db): SqlFragment => toFragment(db, PROTECTED_TEXT, {})
