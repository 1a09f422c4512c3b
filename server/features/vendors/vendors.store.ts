import type { Db } from '../../platform/db.ts'

export type VendorUse = {
  enabled: boolean
  position: number
  unbound: 'refuse' | 'bind'
  matchBy: string[]
}

export type StoredVendor = VendorUse & {
  version: number
  isSetByFile: boolean
  /** Another one than its page is about, where the bootstrap file took the key for something else. */
  connector: string
  settings: Record<string, unknown>
  /** Sealed. */
  secrets: string | null
}

export async function findVendor(db: Db, key: string): Promise<StoredVendor | null> {
  const [row] = await db<StoredVendor[]>`
    select version, set_by_file as "isSetByFile", connector, enabled, position, unbound, match_by as "matchBy", settings, secrets
    from third_party_providers where key = ${key}`
  return row ?? null
}

/** Nobody else saves this one until the transaction ends. */
export const lockVendor = (db: Db, key: string) =>
  db`select pg_advisory_xact_lock(hashtextextended(${`vendor ${key}`}, 0))`

type SavedVendor = VendorUse & {
  id: string
  key: string
  name: string
  names: Record<string, string>
  settings: Record<string, unknown>
  secrets: string
  at: Date
}

/** Its names stay when it is there already. */
export const saveVendor = (db: Db, v: SavedVendor) => db`
  insert into third_party_providers as p (id, key, connector, name, names, enabled, position, settings, secrets, unbound, match_by,
    created_at, updated_at)
  values (${v.id}, ${v.key}, ${v.key}, ${v.name}, ${JSON.stringify(v.names)}::text::jsonb, ${v.enabled}, ${v.position},
    ${JSON.stringify(v.settings)}::text::jsonb, ${v.secrets}, ${v.unbound}, ${v.matchBy}, ${v.at}, ${v.at})
  on conflict (key) do update set connector = excluded.connector, enabled = excluded.enabled, position = excluded.position,
    settings = excluded.settings, secrets = excluded.secrets, unbound = excluded.unbound, match_by = excluded.match_by,
    version = p.version + 1, updated_at = excluded.updated_at`
