import { isDeepStrictEqual } from 'node:util'
import { v7 } from 'uuid'
import { type Connector, connectorNames, findConnector } from '../../connectors/index.ts'
import type { Platform } from '../../platform/platform.ts'
import { listStoredProviders, type StoredProvider } from '../third-party-providers/index.ts'
import type { ThirdPartyProviderEntry } from './bootstrap-document.types.ts'
import { addToPlan, emptyPlan, mergeGiven, type RowPlan } from './bootstrap-plan.rules.ts'
import { formatPath, type Problems } from './bootstrap-problems.errors.ts'
import type { ReferenceDirectory } from './bootstrap-references.rules.ts'

const NEW_PROVIDER = {
  names: {},
  enabled: true,
  secrets: null,
  unbound: 'refuse',
  creates: {},
  matchBy: [],
} satisfies Partial<StoredProvider>

/** Identity providers. What a file gives for one are its complete settings, validated by its connector. */
export async function planProviders(
  platform: Platform,
  entries: readonly ThirdPartyProviderEntry[],
  directory: ReferenceDirectory,
  problems: Problems,
): Promise<RowPlan<StoredProvider>> {
  const references = directory.resolver(problems)
  const plan = emptyPlan<StoredProvider>()
  if (entries.length === 0) return plan
  const stored = new Map((await listStoredProviders(platform.sql)).map((row) => [row.key, row]))
  for (const [position, entry] of entries.entries()) {
    const path = ['thirdPartyProviders', position]
    const connector = findConnector(entry.connector)
    if (!connector) problems.add(formatPath([...path, 'connector']), `expected one of ${connectorNames.join(', ')}`)
    else reportInvalidSettings(connector, entry, path, problems)
    const before = stored.get(entry.key)
    const { creates, ...given } = entry
    const row = toRow(platform, given, connector?.secrets ?? [], before, position)
    addToPlan(
      plan,
      before,
      creates ? { ...row, creates: toCreation(creates, references, formatPath([...path, 'creates'])) } : row,
    )
  }
  return plan
}

function reportInvalidSettings(
  connector: Connector,
  { settings }: ThirdPartyProviderEntry,
  path: (string | number)[],
  problems: Problems,
): void {
  const parsed = connector.settings.safeParse(settings)
  for (const issue of parsed.error?.issues ?? []) {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys : []
    for (const key of keys) problems.add(formatPath([...path, 'settings', ...issue.path, key]), 'no such key')
    if (keys.length === 0) problems.add(formatPath([...path, 'settings', ...issue.path]), issue.message)
  }
}

function toRow(
  platform: Platform,
  entry: Omit<ThirdPartyProviderEntry, 'creates'>,
  secretNames: readonly string[],
  before: StoredProvider | undefined,
  position: number,
): StoredProvider {
  const { key, connector, name, settings: given, ...rest } = entry
  const isSecret = ([setting]: [string, unknown]) => secretNames.includes(setting)
  const secrets = Object.fromEntries(Object.entries(given).filter(isSecret))
  const settings = Object.fromEntries(Object.entries(given).filter((pair) => !isSecret(pair)))
  const base = before ?? { ...NEW_PROVIDER, id: v7(), key, connector, name, position, settings }
  return mergeGiven<StoredProvider>(base, {
    ...rest,
    connector,
    name,
    settings,
    secrets: sealSecrets(platform, secrets, before?.secrets ?? null),
  })
}

function toCreation(
  { organization, category, ...rest }: NonNullable<ThirdPartyProviderEntry['creates']>,
  references: ReturnType<ReferenceDirectory['resolver']>,
  path: string,
): StoredProvider['creates'] {
  return {
    organizationId: references.one('organization', organization, `${path}.organization`) ?? null,
    categoryId: references.one('category', category, `${path}.category`) ?? null,
    ...rest,
  }
}

/** Unchanged secrets keep their ciphertext, so that applying a file twice changes nothing. */
function sealSecrets(platform: Platform, secrets: Record<string, unknown>, sealed: string | null): string | null {
  if (Object.keys(secrets).length === 0) return null
  if (sealed !== null && isDeepStrictEqual(JSON.parse(platform.secrets.open(sealed)), secrets)) return sealed
  return platform.secrets.seal(JSON.stringify(secrets))
}
