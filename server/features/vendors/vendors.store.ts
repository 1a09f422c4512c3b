import type { PersonCreation, Unbound } from '#shared/contract/created-people.ts'
import type { Language } from '#shared/contract/endpoint.ts'
import type { Db } from '../../platform/db.ts'
import { localized } from '../../platform/localized.ts'

export type VendorUse = {
  enabled: boolean
  position: number
  unbound: Unbound
  creates: Partial<PersonCreation>
  matchBy: string[]
}

export type StoredVendor = VendorUse & {
  version: number
  isSetByFile: boolean
  /** May differ from the page's, if the bootstrap file uses the key for something else. */
  connector: string
  settings: Record<string, unknown>
  /** Sealed. */
  secrets: string | null
}

export async function findVendor(db: Db, key: string): Promise<StoredVendor | null> {
  const [row] = await db<StoredVendor[]>`
    select version, set_by_file as is_set_by_file, connector, enabled, position, unbound, creates, match_by, settings, secrets
    from third_party_providers where key = ${key}`
  return row ?? null
}

/** How many people are linked within each of these realms. */
export const countLinked = (db: Db, key: string, realms: string[]) => db<{ realm: string; people: number }[]>`
  select a.realm, count(*)::int as people
  from third_party_accounts a
    join third_party_providers p on p.id = a.provider_id
    join users u on u.id = a.user_id and u.deleted_at is null
  where p.key = ${key} and a.realm = any(${realms}) group by a.realm limit 100`

/** Nobody else can save this one until the transaction ends. */
export const lockVendor = (db: Db, key: string) =>
  db`select pg_advisory_xact_lock(hashtextextended(${`vendor ${key}`}, 0))`

/** The names of the organisation and category for new people, in a language; null: there is none. */
export async function findCreationNames(
  db: Db,
  { organizationId, categoryId }: Pick<PersonCreation, 'organizationId' | 'categoryId'>,
  language: Language,
): Promise<{ organization: string | null; category: string | null }> {
  const [row] = await db<{ organization: string | null; category: string | null }[]>`
    select (select ${localized(db, 'o', language)} from organizations o where o.id = ${organizationId}) as organization,
      (select ${localized(db, 'c', language)} from user_categories c where c.id = ${categoryId}) as category`
  return row ?? { organization: null, category: null }
}
