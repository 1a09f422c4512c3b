import { type AuthorizationAttempt, type Connection, findConnector } from '../../connectors/index.ts'
import type { Db } from '../../platform/db.ts'
import type { Platform } from '../../platform/platform.ts'
import { errors } from './third-party-providers.errors.ts'
import { listProviderRows, type ProviderRow } from './third-party-providers.store.ts'

const TOPIC = 'third-party-providers'

/** A configured system that people log in with, without its settings: nothing of them belongs into an answer. */
export type Provider = Omit<ProviderRow, 'settings' | 'secrets'>

/** Within a transaction through its own connection: see `readSettings`. */
const loadProviderRows = (platform: Platform & { db?: Db }): Promise<readonly ProviderRow[]> =>
  platform.cache.read(TOPIC, 'all', async () => [...(await listProviderRows(platform.db ?? platform.sql))])

/** Every provider that is known here, in the order of the login page; a disabled one too. */
export const listProviders = (platform: Platform): Promise<readonly Provider[]> => loadProviderRows(platform)

/** Call after every change to a provider, in its transaction. */
export const invalidateProviders = (platform: Platform, db: Db): Promise<void> => platform.cache.invalidate(db, TOPIC)

/** @throws Refusal `third-party.unknown` for one that is not there or switched off. */
export async function requireProvider(platform: Platform, which: { key: string } | { id: string }): Promise<Provider> {
  const matches = (row: ProviderRow) => ('key' in which ? row.key === which.key : row.id === which.id)
  const found = (await loadProviderRows(platform)).find(matches)
  if (!found?.enabled) throw errors['third-party.unknown']()
  return found
}

/** A provider by its key, in use or not; null: there is none. */
export const findProvider = async (platform: Platform, key: string): Promise<Provider | null> =>
  (await loadProviderRows(platform)).find((row) => row.key === key) ?? null

/** The way to a provider, with its secrets opened for as long as the call takes. */
export async function openConnection(platform: Platform, { id }: Provider): Promise<Connection> {
  const row = (await loadProviderRows(platform)).find((one) => one.id === id)
  const connector = row && findConnector(row.connector)
  if (!row || !connector) throw errors['third-party.unknown']()
  const secrets: unknown = row.secrets === null ? {} : JSON.parse(platform.secrets.open(row.secrets))
  return connector.open(platform, { ...row.settings, ...(secrets as object) })
}

/** Registered at the provider once: it never carries where the person wants to go. */
export const callbackUrl = ({ config }: Platform, key: string): string =>
  `${config.publicUrl}/auth_service/third_party/${key}/callback`

/** A provider, and the one origin of its page with a code to scan; null: it has none. */
export type FramedProvider = { provider: Provider; frameOrigin: string | null }

/** Those in use, in the order of the login page. */
export const listFramedProviders = async (platform: Platform): Promise<FramedProvider[]> =>
  (await loadProviderRows(platform))
    .filter(({ enabled }) => enabled)
    .map((row) => ({ provider: row, frameOrigin: findConnector(row.connector)?.frameOrigin?.(row.settings) ?? null }))

/** @throws Refusal `third-party.unknown` where the provider has no page for a frame. */
export async function requireFrameUrl(
  platform: Platform,
  provider: Provider,
  attempt: AuthorizationAttempt,
): Promise<string> {
  const connection = await openConnection(platform, provider)
  if (!connection.frameUrl) throw errors['third-party.unknown']()
  return connection.frameUrl(attempt)
}

/** The provider whose own browser this is, when people come in there without being asked for anything; null: none. */
export async function findSilentProvider(platform: Platform, userAgent: string): Promise<Provider | null> {
  const rows = await loadProviderRows(platform)
  const isSilent = (row: ProviderRow) => findConnector(row.connector)?.isSilent?.(row.settings) ?? false
  return rows.find((row) => row.enabled && isInOwnBrowser(row, userAgent) && isSilent(row)) ?? null
}

/** Is this the vendor's own browser, in which people are logged in to it already? */
export const isInOwnBrowser = ({ connector }: Provider, userAgent: string): boolean =>
  findConnector(connector)?.ownBrowser?.test(userAgent) ?? false
