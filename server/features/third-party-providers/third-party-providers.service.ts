import { type Connection, connectorCalled } from '../../connectors/index.ts'
import type { Db } from '../../platform/db.ts'
import type { Platform } from '../../platform/platform.ts'
import { errors } from './third-party-providers.errors.ts'
import { allProviders, type ProviderRow } from './third-party-providers.store.ts'

const TOPIC = 'third-party-providers'

/** A configured system that people log in with, without its settings: nothing of them belongs into an answer. */
export type Provider = Omit<ProviderRow, 'settings' | 'secrets'>

const rows = (platform: Platform): Promise<readonly ProviderRow[]> =>
  platform.cache.read(TOPIC, 'all', async () => [...(await allProviders(platform.sql))])

/** Every provider that is known here, in the order of the login page; a disabled one too. */
export const providers = (platform: Platform): Promise<readonly Provider[]> => rows(platform)

/** Call after every change to a provider, in its transaction. */
export const providersChanged = (platform: Platform, db: Db): Promise<void> => platform.cache.drop(db, TOPIC)

/** @throws Refusal `third-party.unknown` for one that is not there or switched off. */
export async function providerInUse(platform: Platform, which: { key: string } | { id: string }): Promise<Provider> {
  const wanted = (row: ProviderRow) => ('key' in which ? row.key === which.key : row.id === which.id)
  const found = (await rows(platform)).find(wanted)
  if (!found?.enabled) throw errors['third-party.unknown']()
  return found
}

/** The way to a provider, with its secrets opened for as long as the call takes. */
export async function connectionTo(platform: Platform, { id }: Provider): Promise<Connection> {
  const row = (await rows(platform)).find((one) => one.id === id)
  const connector = row && connectorCalled(row.connector)
  if (!row || !connector) throw errors['third-party.unknown']()
  const secrets: unknown = row.secrets === null ? {} : JSON.parse(platform.secrets.open(row.secrets))
  return connector.open(platform, { ...row.settings, ...(secrets as object) })
}

/** Registered at the provider once: it never carries where the person wants to go. */
export const callbackAddress = ({ config }: Platform, key: string): string =>
  `${config.publicUrl}/auth_service/third_party/${key}/callback`
