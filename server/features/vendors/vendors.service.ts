import { v7 } from 'uuid'
import { PersonCreation, UNBOUND } from '#shared/contract/created-people.ts'
import { SHIPPED_LANGUAGES } from '#shared/contract/endpoint.ts'
import { SECRET_PLACEHOLDER } from '#shared/contract/stored-secret.ts'
import type { Vendor, VendorKey } from '#shared/contract/vendors.ts'
import { type Connector, findConnector } from '../../connectors/index.ts'
import { errors as common } from '../../platform/errors.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { resolveStoredSecret } from '../../platform/stored-secret.ts'
import { type Restorer, recordAudit, type Snapshot } from '../records/index.ts'
import {
  callbackUrl,
  deleteProviderSecrets,
  invalidateProviders,
  saveProviders,
} from '../third-party-providers/index.ts'
import { type CreationFields, describeCreation, requireCreation, toCreationFields } from './vendor-creation.service.ts'
import { errors } from './vendors.errors.ts'
import { countLinked, findVendor, lockVendor, type StoredVendor } from './vendors.store.ts'

type Settings = Record<string, unknown>
type Given = Pick<Vendor, 'enabled' | 'position' | 'unbound' | 'matchAccount'> & CreationFields & { settings: object }

/** The defaults before somebody sets it up. */
const UNSET = {
  version: 0,
  isSetByFile: false,
  enabled: true,
  position: 0,
  unbound: 'bind',
  matchAccount: false,
} as const

/** Each vendor has its own protocol; education platforms nearly speak OAuth 2.0. */
export const connectorName = (key: VendorKey): string => (key === 'auth-edu' ? 'oauth2' : key)

/** @throws Error for a name that has no connector. */
export function connectorOf(key: VendorKey) {
  const connector = findConnector(connectorName(key))
  if (!connector) throw new Error(`no connector ${key}`)
  return connector
}

/** All settings with decrypted secrets: must not get into an answer or the history. */
function openSettings(ctx: Context, { settings, secrets }: StoredVendor): Settings {
  const opened: unknown = secrets === null ? {} : JSON.parse(ctx.secrets.open(secrets))
  return { ...settings, ...(opened as object) } as Settings
}

/** Something with secrets among its settings. */
type Sealing = Pick<Connector, 'settings' | 'secrets' | 'destination'>

/** Masks the secrets of settings for display. */
export function maskSettings({ secrets }: Pick<Sealing, 'secrets'>, settings: Settings): Settings {
  const masked = (name: string, value: unknown) => (secrets.includes(name) && value !== '' ? SECRET_PLACEHOLDER : value)
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, masked(name, value)]))
}

/**
 * Settings with the stored secrets where the form has a mask. Whatever determines where a secret is sent and whose it is must be the same
 * as when it was entered.
 * @param before what is stored for the same system, secrets decrypted; null: nothing.
 * @throws Refusal `settings.secret-needed`.
 */
export function keepSecrets(
  { settings, secrets, destination }: Sealing,
  given: object,
  before: Settings | null,
): Settings {
  // With the current defaults on both sides.
  const isDestination = ([name, value]: [string, unknown]) =>
    destination ? destination.includes(name) : typeof value === 'string' && value !== '' && !secrets.includes(name)
  const destinationOf = (all: object) => Object.fromEntries(Object.entries(all).filter(isDestination))
  const known = before && settings.safeParse(before).data
  const resolved = Object.entries(given as Settings).map(([name, value]) => {
    if (!secrets.includes(name)) return [name, value]
    const kept = before?.[name]
    const from = known && typeof kept === 'string' ? { secret: kept, destination: destinationOf(known) } : null
    return [name, resolveStoredSecret({ secret: String(value), destination: destinationOf(given) }, from)]
  })
  return Object.fromEntries(resolved) as Settings
}

/** @throws Refusal `settings.secret-needed`. */
export async function resolveSecrets(ctx: Context, key: VendorKey, given: object): Promise<Settings> {
  const stored = await findVendor(ctx.db, key)
  const before = stored?.connector === connectorName(key) ? openSettings(ctx, stored) : null
  return keepSecrets(connectorOf(key), given, before)
}

export async function describeVendor(ctx: Context, key: VendorKey): Promise<Vendor> {
  const stored = await findVendor(ctx.db, key)
  const registered = { callbackUrl: callbackUrl(ctx, key) }
  const creation = await describeCreation(ctx, stored?.creates ?? {})
  if (!stored) return { ...UNSET, ...registered, ...creation, settings: null, knownBy: {} }
  const { version, isSetByFile, enabled, position, unbound, matchBy } = stored
  const settings =
    stored.connector === connectorName(key) ? maskSettings(connectorOf(key), openSettings(ctx, stored)) : null
  const matchAccount = matchBy.includes('account')
  const knownBy = await countKnownBy(ctx, key, settings ?? {})
  return {
    ...registered,
    ...creation,
    version,
    isSetByFile,
    enabled,
    position,
    unbound,
    matchAccount,
    settings,
    knownBy,
  }
}

/** An identity is valid within a corporation, application or issuer: people linked in another one are unknown there. */
async function countKnownBy(ctx: Context, key: VendorKey, settings: Settings): Promise<Vendor['knownBy']> {
  const texts = Object.entries(settings).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  const counts = await countLinked(
    ctx.db,
    key,
    texts.map(([, value]) => value).filter((value) => value !== '' && value !== SECRET_PLACEHOLDER),
  )
  const people = new Map(counts.map((count) => [count.realm, count.people]))
  return Object.fromEntries(
    texts.flatMap(([name, value]) => (people.has(value) ? [[name, people.get(value) ?? 0]] : [])),
  )
}

/** The form kept in the history: secrets masked. */
function snapshotOf({ enabled, position, unbound, matchAccount, settings, ...given }: Given): Snapshot {
  const { createOrganizationId, createCategoryId, createState, createValidDays } = given
  const creation = { createOrganizationId, createCategoryId, createState, createValidDays }
  return { enabled, position, unbound, matchAccount, ...(unbound === 'create' && creation), ...flattened(settings) }
}

const isGroup = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Groups of settings as `group.name`: the history compares field by field. */
const flattened = (settings: object): Settings =>
  Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) =>
      isGroup(value) ? Object.entries(value).map(([part, one]) => [`${name}.${part}`, one]) : [[name, value]],
    ),
  )

function grouped(fields: Settings): Settings {
  const settings: Settings = {}
  for (const [path, value] of Object.entries(fields)) {
    const [, group = '', part = ''] = /^(\w+)\.(.+)$/s.exec(path) ?? []
    if (group === '') settings[path] = value
    else settings[group] = { ...(settings[group] as object | undefined), [part]: value }
  }
  return settings
}

const target = (key: VendorKey) => ({ targetKind: 'vendor', targetId: key })

/**
 * Sets a vendor up, or changes it; every node applies it at once.
 * @throws Refusal `version.conflict` with what is stored now, `settings.set-by-file`, `settings.secret-needed`.
 */
export async function changeVendor(
  ctx: Context,
  key: VendorKey,
  { version, ...given }: Given & { version: number },
): Promise<Vendor> {
  return await transaction(ctx, async (inner) => {
    const before = await write(inner, key, version, given)
    const after = await describeVendor(inner, key)
    const sides = {
      before: before.settings && snapshotOf({ ...before, settings: before.settings }),
      after: snapshotOf({ ...after, settings: after.settings ?? {} }),
    }
    await recordAudit(inner, { action: 'vendor.change', ...target(key), ...sides })
    return after
  })
}

/** What is stored now, until the transaction ends. @throws Refusal `version.conflict`, `settings.set-by-file`. */
async function lockCurrent(ctx: Context, key: VendorKey, version: number): Promise<Vendor> {
  await lockVendor(ctx.db, key)
  const current = await describeVendor(ctx, key)
  if (current.isSetByFile) throw common['settings.set-by-file']({ params: { field: `thirdPartyProviders.${key}` } })
  if (current.version !== version) throw common['version.conflict']({ data: { current } })
  return current
}

/**
 * Removes the stored secrets of a vendor; all other settings and everybody's link stay.
 * @throws Refusal `version.conflict`, `settings.set-by-file`, `vendor.in-use`, `vendor.no-secret`.
 */
export async function removeVendorSecrets(ctx: Context, key: VendorKey, version: number): Promise<Vendor> {
  return await transaction(ctx, async (inner) => {
    const { settings, enabled } = await lockCurrent(inner, key, version)
    const names = connectorOf(key).secrets.filter((name) => settings?.[name])
    if (names.length === 0) throw errors['vendor.no-secret']()
    if (enabled) throw errors['vendor.in-use']()
    await deleteProviderSecrets(inner.db, key, inner.now())
    await invalidateProviders(inner, inner.db)
    const all = (value: string) => Object.fromEntries(names.map((name) => [name, value]))
    const sides = { before: all(SECRET_PLACEHOLDER), after: all('') }
    await recordAudit(inner, { action: 'vendor.remove-secrets', ...target(key), ...sides })
    return await describeVendor(inner, key)
  })
}

/** @returns the former state */
async function write(ctx: Context, key: VendorKey, version: number, given: Given): Promise<Vendor> {
  const before = await lockCurrent(ctx, key, version)
  const { secrets: names } = connectorOf(key)
  const resolved = Object.entries(await resolveSecrets(ctx, key, given.settings))
  const isSecret = ([name]: [string, unknown]) => names.includes(name)
  const { enabled, position, unbound, matchAccount } = given
  const creates = await requireCreation(ctx, given)
  const called = Object.fromEntries(
    SHIPPED_LANGUAGES.map((language) => [language, ctx.translate(language, `vendor.${key}`)]),
  )
  const provider = {
    id: v7(),
    key,
    connector: connectorName(key),
    name: called['zh_CN'] ?? key,
    names: called,
    enabled,
    position,
    unbound,
    creates,
    matchBy: matchAccount ? ['account'] : [],
    settings: Object.fromEntries(resolved.filter((pair) => !isSecret(pair))),
    secrets: ctx.secrets.seal(JSON.stringify(Object.fromEntries(resolved.filter(isSecret)))),
  }
  await saveProviders(ctx.db, [provider], ctx.now(), { keepsNames: true })
  await invalidateProviders(ctx, ctx.db)
  return before
}

/** How a vendor is rolled back; its secrets stay, as long as they belong to what is restored. */
export const vendorRestorer: Restorer = {
  async current(ctx, ids) {
    const found = await Promise.all(ids.map(async (id) => [id, await describeVendor(ctx, id as VendorKey)] as const))
    return new Map(
      found.flatMap(([id, vendor]) => {
        const { version, settings } = vendor
        if (!settings) return []
        return [
          [
            id,
            {
              name: ctx.translate(ctx.client.language, `vendor.${id}`),
              version,
              snapshot: snapshotOf({ ...vendor, settings }),
            },
          ],
        ]
      }),
    )
  },
  async restore(ctx, id, { enabled, position, unbound, matchAccount, ...rest }, version) {
    const key = id as VendorKey
    const { createOrganizationId, createCategoryId, createState, createValidDays, ...settings } = rest
    const creation = PersonCreation.safeParse({
      organizationId: createOrganizationId,
      categoryId: createCategoryId,
      state: createState,
      validDays: createValidDays,
    })
    const parsed = connectorOf(key).settings.safeParse(grouped(settings))
    if (!parsed.success || !creation.success) throw errors['vendor.former-invalid']()
    await write(ctx, key, version, {
      enabled: enabled === true,
      position: Number(position) || 0,
      unbound: UNBOUND.find((one) => one === unbound) ?? 'refuse',
      ...toCreationFields(creation.data),
      matchAccount: matchAccount === true,
      settings: parsed.data,
    })
  },
}
