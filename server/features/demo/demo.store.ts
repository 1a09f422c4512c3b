import type { Db } from '../../platform/db.ts'

/** Only what every installation has: no people, organisations or applications of its own. */
export async function isDatabaseEmpty(db: Db): Promise<boolean> {
  const [row] = await db<{ empty: boolean }[]>`
    select not exists (select from users) and not exists (select from organizations)
      and not exists (select from applications where not built_in) as empty`
  return row?.empty ?? false
}

export const listUserIds = (db: Db) => db<{ id: string; account: string; category: string | null }[]>`
  select u.id, u.account, c.code as category from users u left join user_categories c on c.id = u.category_id
  where u.enabled and u.activated order by u.account limit 10000`

export const listApplicationIds = (db: Db) => db<{ id: string; appId: string }[]>`
  select id, app_id from applications where not built_in order by position, app_id limit 100`

/** Those of `accounts` whose password is still the one from `at`. */
export const findUnchangedPasswords = (db: Db, accounts: readonly string[], at: Date) => db<{ account: string }[]>`
  select u.account from users u join passwords p on p.user_id = u.id
  where u.account = any(${accounts as string[]}) and u.deleted_at is null and p.changed_at = ${at}`

type NotActivatedRow = { account: string; name: string; idNumber: string }

/** Those who have not activated the account; the ID number is sealed. */
export const listNotActivated = (db: Db, accounts: readonly string[], limit: number) => db<NotActivatedRow[]>`
  select account, name, id_number from users
  where account = any(${accounts as string[]}) and not activated and enabled and deleted_at is null and id_number is not null
  order by account limit ${limit}`

/** Who is appointed for which organisation of the school. */
export async function findAppointment(
  db: Db,
  account: string,
  organization: string,
): Promise<{ userId: string; organizationId: string }> {
  const [row] = await db<{ userId: string; organizationId: string }[]>`
    select u.id as user_id, o.id as organization_id from users u, organizations o
    where u.account = ${account} and o.code = ${organization}`
  if (!row) throw new Error(`the demo school has no ${account} or no ${organization}`)
  return row
}
