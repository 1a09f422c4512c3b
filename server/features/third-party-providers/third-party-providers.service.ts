import { type AuthorizationAttempt, type Connection, findConnector } from '../../connectors/index.ts'
import type { Db } from '../../platform/db.ts'
import type { Platform } from '../../platform/platform.ts'
import { errors } from './third-party-providers.errors.ts'
import { listProviderRows, type ProviderRow } from './third-party-providers.store.ts'

const TOPIC = 'third-party-providers'

/** A configured identity provider without its settings, none of which may be exposed. */
export type Provider = Omit<ProviderRow, 'settings' | 'secrets'>

/** Within a transaction through its own connection: see `readSettings`. */
const loadProviderRows = (platform: Platform & { db?: Db }): Promise<readonly ProviderRow[]> =>
  platform.cache.read(TOPIC, 'all', async () => [...(await listProviderRows(platform.db ?? platform.sql))])

/** Every configured provider, in the order of the login page; disabled ones too. */
export const listProviders = (platform: Platform): Promise<readonly Provider[]> => loadProviderRows(platform)

/** Call after every change to a provider, in its transaction. */
export const invalidateProviders = (platform: Platform, db: Db): Promise<void> => platform.cache.invalidate(db, TOPIC)

/** @throws Refusal `third-party.unknown` for a missing or disabled one. */
export async function requireProvider(platform: Platform, which: { key: string } | { id: string }): Promise<Provider> {
  const matches = (row: ProviderRow) => ('key' in which ? row.key === which.key : row.id === which.id)
  const found = (await loadProviderRows(platform)).find(matches)
  if (!found?.enabled) throw errors['third-party.unknown']()
  return found
}

/** A provider by its key, enabled or not; null: there is none. */
export const findProvider = async (platform: Platform, key: string): Promise<Provider | null> =>
  (await loadProviderRows(platform)).find((row) => row.key === key) ?? null

/** The connection to a provider, with its secrets decrypted for as long as the call takes. */
export async function openConnection(platform: Platform, { id }: Provider): Promise<Connection> {
  const row = (await loadProviderRows(platform)).find((one) => one.id === id)
  const connector = row && findConnector(row.connector)
  if (!row || !connector) throw errors['third-party.unknown']()
  const secrets: unknown = row.secrets === null ? {} : JSON.parse(platform.secrets.open(row.secrets))
  return connector.open(platform, { ...row.settings, ...(secrets as object) })
}

/** Registered once at the provider: it never contains where the person wants to go. */
export const callbackUrl = ({ config }: Platform, key: string): string =>
  `${config.publicUrl}/auth_service/third_party/${key}/callback`

/** A provider, and the one origin of its page with a code to scan; null: it has none. */
export type FramedProvider = { provider: Provider; frameOrigin: string | null }

/** The enabled ones, in the order of the login page. */
export const listFramedProviders = async (platform: Platform): Promise<FramedProvider[]> =>
  (await loadProviderRows(platform))
    .filter(({ enabled }) => enabled)
    .map((row) => ({ provider: row, frameOrigin: findConnector(row.connector)?.frameOrigin?.(row.settings) ?? null }))

/** @throws Refusal `third-party.unknown` if the provider has no page for a frame. */
export async function requireFrameUrl(
  platform: Platform,
  provider: Provider,
  attempt: AuthorizationAttempt,
): Promise<string> {
  const connection = await openConnection(platform, provider)
  if (!connection.frameUrl) throw errors['third-party.unknown']()
  return connection.frameUrl(attempt)
}

/** The provider whose own browser this is, if it logs people in there without a question; null: none. */
export async function findSilentProvider(platform: Platform, userAgent: string): Promise<Provider | null> {
  const rows = await loadProviderRows(platform)
  const isSilent = (row: ProviderRow) => findConnector(row.connector)?.isSilent?.(row.settings) ?? false
  return rows.find((row) => row.enabled && isInOwnBrowser(row, userAgent) && isSilent(row)) ?? null
}

/** Is this the vendor's own browser, in which people are already logged in to it? */
export const isInOwnBrowser = ({ connector }: Provider, userAgent: string): boolean =>
  findConnector(connector)?.ownBrowser?.test(userAgent) ?? false
