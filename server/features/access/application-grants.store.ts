import type { Db } from '../../platform/db.ts'
import { createStatement, toFragment } from '../../platform/statement.ts'
import { roleText, withinText } from './role-membership.store.ts'

/** SQL value: the name by which the application `a` knows the user `u`; null or empty: none. `userNameFor` is the same for a person. */
const USER_NAME = `case
  when a.protocol = 'oauth2' and a.subject_type = 'pairwise' then u.id::text
  else case a.user_attribute when 'userId' then u.id::text when 'alias' then u.alias when 'phone' then u.phone
    when 'mailbox' then u.mailbox when 'name' then u.name else u.account end
  end`

/**
 * Columns of what the gate needs about the application `a` for the user `u` (whose organisation is `o`, left-joined).
 * @param roleGrants false: skip grants to roles, which is half the work; see `withRoleGrants`.
 */
export const applicationFactColumns = (roleGrants: boolean): string => `
  a.enabled as application_enabled, ${roleGrants ? GRANT_HOLDS : GRANT_HOLDS_WITHOUT_ROLES} as granted, ${USER_NAME} as user_name`

/**
 * SQL condition: is the subject of the grant `g`, not a role, one that the user `u` (whose organisation is `o`, left-joined) belongs to?
 */
const GROUP_NAMES_USER = `case g.subject_kind when 'category' then g.subject_id = u.category_id else ${withinText('g.subject_id')} end`
/** As `GROUP_NAMES_USER`, including grants to roles. */
const GRANT_NAMES_USER = `case g.subject_kind
  when 'category' then g.subject_id = u.category_id
  when 'organization' then ${withinText('g.subject_id')}
  else ${roleText('g.subject_id')} end`

const IS_VALID = '(g.valid_from is null or g.valid_from <= :now) and (g.valid_until is null or g.valid_until > :now)'

const grantText = (kinds: string, namesUser: string, isValid = IS_VALID) => `
  (a.type = 'whitelist' or exists (
    select from application_grants g
    where g.application_id = a.id and g.subject_kind in (${kinds}) and ${isValid} and ${namesUser}
  ) or exists (
    select from application_grants g
    where g.application_id = a.id and g.subject_kind = 'user' and g.subject_id = u.id and ${isValid}))`

/**
 * SQL condition: may the user `u` (whose organisation is `o`, left-joined) use the application `a` at `:now`?
 * A grant to an organisation reaches its descendants. Grants to one person are looked up by their key: there may be thousands.
 */
const GRANT_HOLDS = grantText("'role', 'organization', 'category'", GRANT_NAMES_USER)
const GRANT_HOLDS_WITHOUT_ROLES = grantText("'organization', 'category'", GROUP_NAMES_USER)

const GRANT_HOLDS_WITHOUT = grantText(
  "'role', 'organization', 'category'",
  GRANT_NAMES_USER,
  `${IS_VALID} and g.subject_id <> all(:without::uuid[])`,
)

/** As `grantHolds`, ignoring the grants to these subjects. */
export const grantHoldsWithout = (db: Db, now: Date, without: readonly string[]) =>
  toFragment(db, GRANT_HOLDS_WITHOUT, { now, without })

/** `GRANT_HOLDS` as a fragment. */
export const grantHolds = (db: Db, now: Date) => toFragment(db, GRANT_HOLDS, { now })

const findGrant = createStatement<{ granted: boolean }>(`
  select ${GRANT_HOLDS} as granted
  from applications a cross join users u left join organizations o on o.id = u.organization_id
  where a.id = :applicationId and u.id = :userId`)

/** More than the applications of any institution; it bounds the set. */
const MAX_REMEMBERED = 5000

/** Applications that somebody was seen to reach by a role: their statements check grants to roles at once. */
const reachedByRole = new Set<string>()

export const isReachedByRole = (applicationId: string): boolean => reachedByRole.has(applicationId)

type GrantFacts = { userId: string; granted: boolean | null }

/** Checks grants to roles too, for a row that was read without them (`applicationFactColumns(false)`) and found no other grant. */
export async function withRoleGrants<T extends GrantFacts>(
  db: Db,
  row: T,
  applicationId: string,
  now: Date,
): Promise<T> {
  if (row.granted !== false) return row
  const [grant] = await findGrant(db, { applicationId, userId: row.userId, now })
  if (!grant?.granted) return row
  if (reachedByRole.size >= MAX_REMEMBERED) reachedByRole.clear()
  reachedByRole.add(applicationId)
  return { ...row, granted: true }
}
