import type { PersonCreation, Unbound } from '#shared/contract/created-people.ts'
import type { Db } from '../../platform/db.ts'

export type ProviderRow = {
  id: string
  key: string
  connector: string
  name: string
  names: Record<string, string>
  enabled: boolean
  position: number
  settings: Record<string, unknown>
  /** Sealed. */
  secrets: string | null
  unbound: Unbound
  creates: Partial<PersonCreation>
  matchBy: string[]
}

const MAX_PROVIDERS = 100

export const listProviders = (db: Db) => db<ProviderRow[]>`
  select id, key, connector, name, names, enabled, position, settings, secrets, unbound, creates, match_by
  from third_party_providers order by key limit ${MAX_PROVIDERS}`

export async function saveProviders(db: Db, rows: readonly ProviderRow[], now: Date): Promise<void> {
  if (rows.length === 0) return
  await db`
    insert into third_party_providers as p (id, key, connector, name, names, enabled, position, settings, secrets, unbound,
      creates, match_by, created_at, updated_at)
    select r.id, r.key, r.connector, r.name, r.names, r.enabled, r.position, r.settings, r.secrets, r.unbound, r.creates, r."matchBy",
      ${now}, ${now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(id uuid, key text, connector text, name text,
      names jsonb, enabled boolean, position int, settings jsonb, secrets text, unbound text, creates jsonb, "matchBy" text[])
    on conflict (key) do update set connector = excluded.connector, name = excluded.name, names = excluded.names,
      enabled = excluded.enabled, position = excluded.position, settings = excluded.settings, secrets = excluded.secrets,
      unbound = excluded.unbound, creates = excluded.creates, match_by = excluded.match_by, version = p.version + 1, updated_at = excluded.updated_at`
}

/** Marks the providers that the bootstrap file defines: pages show them read-only. */
export const markFileProviders = (db: Db, keys: readonly string[]) => db`
  update third_party_providers set set_by_file = key = any(${keys as string[]})
  where set_by_file <> (key = any(${keys as string[]}))`
