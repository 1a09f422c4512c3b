import type { LoginNameField } from '#shared/contract/account-fields.ts'
import type { Db } from '../../platform/db.ts'
import { lockSettingsDocument } from '../../platform/settings.ts'
import { isUsableSuperUser } from '../user-accounts/index.ts'

type SettingsRow = { name: string; value: Record<string, unknown>; version: number }

export const listSettings = (db: Db, names: readonly string[]) => db<SettingsRow[]>`
  select name, value, version from settings where name = any(${names as string[]})`

/** The document's version, 0 if it was never written; locked until the transaction ends. @throws Refusal `service.busy`. */
export async function lockSettings(db: Db, name: string): Promise<number> {
  await lockSettingsDocument(db, name)
  const [row] = await db<{ version: number }[]>`select version from settings where name = ${name} for update`
  return row?.version ?? 0
}

export const findKnownCodes = (
  db: Db,
  { categories, applications }: { categories: string[]; applications: string[] },
) => db<{ kind: 'category' | 'application'; code: string }[]>`
  select 'category' as kind, code from user_categories where code = any(${categories})
  union all select 'application', app_id from applications where app_id = any(${applications})`

/** What a person could type to log in, and to which of their contacts a code could be sent. */
export const listLoginNameKinds = async (db: Db, userId: string): Promise<LoginNameField[]> =>
  (await db<{ kind: LoginNameField }[]>`select kind from login_names where user_id = ${userId}`).map(({ kind }) => kind)

/** The same for each super user whose account is usable: one per combination, so that there are few rows. */
export const listSuperUserNameKinds = (db: Db, now: Date) => db<{ names: LoginNameField[] }[]>`
  select distinct array(select n.kind from login_names n where n.user_id = u.id order by n.kind) as names
  from users u where ${isUsableSuperUser(db, now)}`

/** Names of some applications that a field is released to; deleted ones may be restored. */
export async function listReleasingApplications(db: Db, source: string): Promise<string[]> {
  const rows = await db<{ name: string }[]>`
    select name from applications where attributes @> ${JSON.stringify([{ from: source }])}::text::jsonb order by name limit 5`
  return rows.map(({ name }) => name)
}

/** Until the end of the transaction: of two changes that leave somebody no login method only together, the later one sees the other. */
export const lockLoginMethods = (db: Db) => db`select pg_advisory_xact_lock(hashtextextended('login methods', 0))`
