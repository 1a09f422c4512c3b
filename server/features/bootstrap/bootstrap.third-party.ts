import { isDeepStrictEqual } from 'node:util'
import { v7 } from 'uuid'
import { type Connector, connectorCalled, connectorNames } from '../../connectors/index.ts'
import type { Platform } from '../../platform/platform.ts'
import type { ThirdPartyProviderEntry } from './bootstrap.document.ts'
import { emptyPlan, fileRow, type RowPlan, withGiven } from './bootstrap.plan.ts'
import { type Problems, pathText } from './bootstrap.problems.ts'
import { allProviders, type ProviderRow } from './third-party.store.ts'

const created = {
  names: {},
  enabled: true,
  secrets: null,
  unbound: 'refuse',
  matchBy: [],
} satisfies Partial<ProviderRow>

/** Systems that people log in with. What a file gives for one are its whole settings, checked by its connector. */
export async function planProviders(
  platform: Platform,
  entries: readonly ThirdPartyProviderEntry[],
  problems: Problems,
): Promise<RowPlan<ProviderRow>> {
  const plan = emptyPlan<ProviderRow>()
  if (entries.length === 0) return plan
  const stored = new Map((await allProviders(platform.sql)).map((row) => [row.key, row]))
  for (const [position, entry] of entries.entries()) {
    const path = ['thirdPartyProviders', position]
    const connector = connectorCalled(entry.connector)
    if (!connector) problems.add(pathText([...path, 'connector']), `expected one of ${connectorNames.join(', ')}`)
    else checkSettings(connector, entry, path, problems)
    const before = stored.get(entry.key)
    fileRow(plan, before, rowFor(platform, entry, connector?.secrets ?? [], before, position))
  }
  return plan
}

function checkSettings(
  connector: Connector,
  { settings }: ThirdPartyProviderEntry,
  path: (string | number)[],
  problems: Problems,
): void {
  const parsed = connector.settings.safeParse(settings)
  for (const issue of parsed.error?.issues ?? []) {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys : []
    for (const key of keys) problems.add(pathText([...path, 'settings', ...issue.path, key]), 'no such key')
    if (keys.length === 0) problems.add(pathText([...path, 'settings', ...issue.path]), issue.message)
  }
}

function rowFor(
  platform: Platform,
  entry: ThirdPartyProviderEntry,
  secretNames: readonly string[],
  before: ProviderRow | undefined,
  position: number,
): ProviderRow {
  const { key, connector, name, settings: given, ...rest } = entry
  const isSecret = ([setting]: [string, unknown]) => secretNames.includes(setting)
  const secrets = Object.fromEntries(Object.entries(given).filter(isSecret))
  const settings = Object.fromEntries(Object.entries(given).filter((pair) => !isSecret(pair)))
  const base = before ?? { ...created, id: v7(), key, connector, name, position, settings }
  return withGiven<ProviderRow>(base, {
    ...rest,
    connector,
    name,
    settings,
    secrets: sealedSecrets(platform, secrets, before?.secrets ?? null),
  })
}

/** The same secrets keep their seal, so that applying a file twice changes nothing. */
function sealedSecrets(platform: Platform, secrets: Record<string, unknown>, sealed: string | null): string | null {
  if (Object.keys(secrets).length === 0) return null
  if (sealed !== null && isDeepStrictEqual(JSON.parse(platform.secrets.open(sealed)), secrets)) return sealed
  return platform.secrets.seal(JSON.stringify(secrets))
}
