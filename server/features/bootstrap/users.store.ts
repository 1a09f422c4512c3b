import type { Db } from '../../platform/db.ts'
import type { UserRow as AccountRow } from '../user-accounts/index.ts'

/** A user with all that the file can say; the identity number is in clear in a plan, sealed in the table. */
export type UserRow = Required<
  Omit<AccountRow, 'validFrom' | 'validUntil' | 'mayReset' | 'customValues' | 'idNumberMac'>
> & {
  /** Sorted. */
  roleIds: string[]
  /** As it was read; 0: a new one. */
  version: number
}

export const listUsersByAccount = (db: Db, accounts: readonly string[]) => db<UserRow[]>`
  select u.id, u.version, account, name, name_pinyin, name_initials, nickname, gender,
    birthday::text, id_number, category_id,
    personnel_type_id, organization_id, phone, mailbox, alias,
    is_super_user, enabled, activated, must_change_password,
    array(select role_id from role_members m where m.user_id = u.id order by role_id) as role_ids
  from users u where account = any(${accounts as string[]}) and deleted_at is null`

/** Locks those of these people who are still as they were read. @returns how many; locked by id, as by all who lock several people */
export async function lockUnchangedUsers(db: Db, rows: readonly Pick<UserRow, 'id' | 'version'>[]): Promise<number> {
  const read = JSON.stringify(rows.map(({ id, version }) => ({ id, version })))
  const { count } = await db`
    select from users u join jsonb_to_recordset(${read}::text::jsonb) as r(id uuid, version int) on r.id = u.id
    where u.version = r.version and u.deleted_at is null order by u.id for no key update of u`
  return count
}

export const listUserIds = (db: Db, accounts: readonly string[]) => db<{ account: string; id: string }[]>`
  select account, id from users where account = any(${accounts as string[]}) and deleted_at is null`

export const findLoginNameOwners = (db: Db, canonical: readonly string[]) => db<
  { canonical: string; userId: string; account: string }[]
>`
  select canonical, user_id, account from login_names join users u on u.id = user_id
  where canonical = any(${canonical as string[]})`
