import type { PersonCreation, Unbound } from '#shared/contract/created-people.ts'
import type { Language } from '#shared/contract/endpoint.ts'
import type { Db } from '../../platform/db.ts'

export type MatchBy = 'account' | 'phone' | 'mailbox'

export type ProviderRow = {
  id: string
  key: string
  connector: string
  name: string
  names: Record<Language, string>
  enabled: boolean
  settings: Record<string, unknown>
  /** Sealed. */
  secrets: string | null
  unbound: Unbound
  /** As stored: absent keys have their default. */
  creates: Partial<PersonCreation>
  matchBy: MatchBy[]
}

const MAX_PROVIDERS = 100

/** In the order in which they are offered. */
export const listProviderRows = (db: Db) => db<ProviderRow[]>`
  select id, key, connector, name, names, enabled, settings, secrets, unbound, creates, match_by
  from third_party_providers order by position, key limit ${MAX_PROVIDERS}`

/** Reads the database, for the moment at which it matters. */
export const isProviderEnabled = async (db: Db, providerId: string): Promise<boolean> =>
  (await db`select 1 from third_party_providers where id = ${providerId} and enabled`).length > 0

/** All of a provider, as stored. */
export type StoredProvider = Omit<ProviderRow, 'names' | 'matchBy'> & {
  names: Record<string, string>
  position: number
  matchBy: string[]
}

export const listStoredProviders = (db: Db) => db<StoredProvider[]>`
  select id, key, connector, name, names, enabled, position, settings, secrets, unbound, creates, match_by
  from third_party_providers order by key limit ${MAX_PROVIDERS}`

/** Writes whole providers, new and existing. @param options `keepsNames`: those of existing ones stay */
export async function saveProviders(
  db: Db,
  rows: readonly StoredProvider[],
  now: Date,
  { keepsNames = false } = {},
): Promise<void> {
  if (rows.length === 0) return
  await db`
    insert into third_party_providers as p (id, key, connector, name, names, enabled, position, settings, secrets, unbound,
      creates, match_by, created_at, updated_at)
    select r.id, r.key, r.connector, r.name, r.names, r.enabled, r.position, r.settings, r.secrets, r.unbound, r.creates, r."matchBy",
      ${now}, ${now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(id uuid, key text, connector text, name text,
      names jsonb, enabled boolean, position int, settings jsonb, secrets text, unbound text, creates jsonb, "matchBy" text[])
    on conflict (key) do update set ${keepsNames ? db`` : db`name = excluded.name, names = excluded.names,`}
      connector = excluded.connector, enabled = excluded.enabled, position = excluded.position, settings = excluded.settings,
      secrets = excluded.secrets, unbound = excluded.unbound, creates = excluded.creates, match_by = excluded.match_by,
      version = p.version + 1, updated_at = excluded.updated_at`
}

/** Marks the providers that the bootstrap file defines: pages show them read-only. */
export const markFileProviders = (db: Db, keys: readonly string[]) => db`
  update third_party_providers set set_by_file = key = any(${keys as string[]})
  where set_by_file <> (key = any(${keys as string[]}))`

export const deleteProviderSecrets = (db: Db, key: string, at: Date) => db`
  update third_party_providers set secrets = null, version = version + 1, updated_at = ${at} where key = ${key}`

/** Moves providers from one base URL to another: every URL in their settings, which for vendors are origins. */
export const moveProviders = (db: Db, moves: readonly { from: string; to: string }[], at: Date) => db`
  update third_party_providers p set version = p.version + 1, updated_at = ${at},
    settings = replace(replace(p.settings::text, m."from" || '/', m."to" || '/'), m."from" || '"', m."to" || '"')::jsonb
  from jsonb_to_recordset(${JSON.stringify(moves)}::text::jsonb) as m("from" text, "to" text)
  where starts_with(p.settings->>'authorizeUrl', m."from" || '/') or p.settings->>'apiHost' = m."from"`
