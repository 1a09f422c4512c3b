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
