import { customName } from '#shared/contract/field-rules.ts'
import type { Permission } from '#shared/contract/permissions.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'
import { toIso } from '../../platform/iso-time.ts'
import { isEnding } from '../organizations/index.ts'
import type { UserRow } from '../user-accounts/index.ts'
import type { PersonValues } from './save-users.types.ts'

/** The current person, with what decides whether they may be changed. */
export type ExistingPerson = {
  id: string
  account: string
  version: number
  isSuperUser: boolean
  /** May the caller see them? */
  isSeen: boolean
  mayChange: boolean
  /** May the caller reset the account anyway? */
  mayReset: boolean
  /** Are phone and mailbox shown unmasked to the caller? */
  isOpen: boolean
  values: PersonValues
}

type ExistingRow = Omit<ExistingPerson, 'values'> &
  Omit<PersonValues, 'validFrom' | 'validUntil'> & {
    validFrom: Date | null
    validUntil: Date | null
    customValues: Record<string, string> | null
  }

type ExistingQuery = {
  ids: readonly string[]
  accounts: readonly string[]
  isSeen: SqlFragment
  mayChange: SqlFragment
  mayReset: SqlFragment
  isOpen: SqlFragment
  lock: boolean
}

/** The people with these ids or accounts; with `lock` their rows are locked until the end of the transaction. */
export async function listExistingPeople(
  db: Db,
  { ids, accounts, lock, ...may }: ExistingQuery,
): Promise<ExistingPerson[]> {
  const byId = db`u.id = any(${ids as string[]}::uuid[])`
  const byAccount = db`u.account = any(${accounts as string[]})`
  const which = accounts.length === 0 ? byId : ids.length === 0 ? byAccount : db`${byId} or ${byAccount}`
  const wanted = db`(${which}) and u.deleted_at is null`
  // A separate statement in a fixed order, so that two calls that save the same two people can't deadlock.
  if (lock) await db`select from users u where ${wanted} order by u.id for no key update`
  const rows = await db<ExistingRow[]>`
    select u.id, u.account, u.version, u.is_super_user, ${may.isSeen} as is_seen,
      ${may.mayChange} as may_change,
      ${may.mayReset} as may_reset, ${may.isOpen} as is_open,
      u.name, u.nickname, u.gender, u.birthday::text as birthday, u.id_number,
      u.organization_id, u.category_id, u.personnel_type_id,
      u.phone, u.mailbox, u.alias, u.enabled, u.valid_from, u.valid_until,
      u.custom_values,
      array(select s.organization_id from user_organizations s where s.user_id = u.id order by s.organization_id)
        as secondary_organization_ids
    from users u where ${wanted}`
  return rows.map(
    ({
      id,
      account,
      version,
      isSuperUser,
      isSeen,
      mayChange,
      mayReset,
      isOpen,
      validFrom,
      validUntil,
      customValues,
      ...values
    }) => ({
      id,
      account,
      version,
      isSuperUser,
      isSeen,
      mayChange,
      mayReset,
      isOpen,
      values: {
        ...values,
        ...flatCustomValues(customValues),
        validFrom: toIso(validFrom),
        validUntil: toIso(validUntil),
      },
    }),
  )
}

const flatCustomValues = (values: Record<string, string> | null) =>
  Object.fromEntries(Object.entries(values ?? {}).map(([key, value]) => [customName(key), value]))

export type OrganizationRow = {
  id: string
  name: string
  /** From the root down to itself. */
  ancestorIds: string[]
  isOpen: boolean
  /** It is being merged or deleted in the background. */
  isEnding: boolean
  inScope: boolean
  /** The caller's permissions there. */
  permissions: Permission[]
}

type CallerConditions = { inScope: SqlFragment; permissions: SqlFragment }

/**
 * The organisations with these ids: name, whether they accept people, whether the caller may assign people to them, and the caller's other
 * permissions there.
 */
export const listOrganizations = (db: Db, ids: readonly string[], caller: CallerConditions) => db<OrganizationRow[]>`
  select o.id, o.name, o.ancestor_ids, o.enabled as is_open, ${isEnding(db)} as is_ending, ${caller.inScope} as in_scope, ${caller.permissions} as permissions
  from organizations o where o.id = any(${ids as string[]}::uuid[])`

/**
 * Which of these accounts, in lower case, belonged to a deleted person who had logged in: other systems may know them by it. With each,
 * whether `maySee` (a condition on `u`) holds for any of them.
 */
export async function listFormerAccounts(
  db: Db,
  accounts: readonly string[],
  maySee: SqlFragment,
): Promise<Map<string, boolean>> {
  const rows = await db<{ account: string; isSeen: boolean }[]>`
    select lower(u.account) as account, coalesce(bool_or(${maySee}), false) as is_seen from users u
    where lower(u.account) = any(${accounts.map((account) => account.toLowerCase())}) and u.deleted_at is not null
      and u.last_login_at is not null
    group by 1`
  return new Map(rows.map(({ account, isSeen }) => [account, isSeen]))
}

/** Those of these people for whom `maySee` (a condition on `u`) holds. */
export async function listVisibleIds(db: Db, ids: readonly string[], maySee: SqlFragment): Promise<Set<string>> {
  const rows = await db<
    { id: string }[]
  >`select u.id from users u where u.id = any(${ids as string[]}::uuid[]) and ${maySee}`
  return new Set(rows.map(({ id }) => id))
}

export const listReferenceNames = (db: Db, table: 'user_categories' | 'personnel_types', ids: readonly string[]) =>
  db<{ id: string; name: string }[]>`select id, name from ${db(table)} where id = any(${ids as string[]}::uuid[])`

/** A person as they will be written. */
export type PersonRow = PersonValues &
  Pick<UserRow, 'id' | 'account' | 'namePinyin' | 'nameInitials' | 'mayReset' | 'customValues' | 'idNumberMac'>
