import type { Db } from '../../platform/db.ts'

/** The settings document `setup`: hashes of the printed links, and when setup was closed permanently. */
export type SetupState = { links: string[]; closedAt: string | null }

const NAME = 'setup'

export async function findSetupState(db: Db): Promise<SetupState | null> {
  const [row] = await db<{ value: SetupState }[]>`select value from settings where name = ${NAME}`
  return row?.value ?? null
}

export const hasSuperUser = async (db: Db): Promise<boolean> =>
  (await db`select 1 from users where is_super_user and deleted_at is null limit 1`).length > 0

/** Adds a link unless setup is closed; the latest few of the earlier ones stay valid. @returns false if it is closed */
export async function insertSetupLink(db: Db, hash: string, limit: number, now: Date): Promise<boolean> {
  const first: SetupState = { links: [hash], closedAt: null }
  const rows = await db`
    insert into settings as s (name, value, updated_at) values (${NAME}, ${JSON.stringify(first)}::text::jsonb, ${now})
    on conflict (name) do update set updated_at = excluded.updated_at, version = s.version + 1,
      value = jsonb_set(s.value, '{links}', jsonb_path_query_array(
        excluded.value->'links' || coalesce(s.value->'links', '[]'), ('$[0 to ' || ${limit - 1}::int || ']')::jsonpath))
      where s.value->>'closedAt' is null
    returning 1`
  return rows.length > 0
}

/** Closes setup permanently. @returns false if it was closed before: of parallel callers one gets true */
export async function closeSetup(db: Db, now: Date): Promise<boolean> {
  const closed: SetupState = { links: [], closedAt: now.toISOString() }
  const rows = await db`
    insert into settings as s (name, value, updated_at) values (${NAME}, ${JSON.stringify(closed)}::text::jsonb, ${now})
    on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at, version = s.version + 1
      where s.value->>'closedAt' is null
    returning 1`
  return rows.length > 0
}

export const accountExists = async (db: Db, account: string): Promise<boolean> =>
  (await db`select 1 from users where account = ${account} and deleted_at is null`).length > 0
