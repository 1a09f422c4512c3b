import { isDeepStrictEqual } from 'node:util'
import type { MailGateway, SmsGateway } from '#shared/contract/message-gateways.ts'
import { errors as common } from '../../platform/errors.ts'
import type { Context } from '../../platform/platform.ts'
import { findSettingsDocument, mergeSettings, replaceSettings } from '../../platform/settings.ts'
import { maskSecret, openGateway, restoreGateway } from '../messages/index.ts'
import { type MissingReference, type Restorer, recordAudit, type Snapshot, type TargetState } from '../records/index.ts'
import { checkLoginConfig } from './login-config-checks.service.ts'
import { errors } from './settings.errors.ts'
import { findKnownCodes, listSettings, lockSettings } from './settings.store.ts'
import { isSealed, SEALED_DOCUMENTS, SETTINGS_DOCUMENTS } from './settings-documents.rules.ts'

const isKnown = (name: string): boolean => Object.hasOwn(SETTINGS_DOCUMENTS, name) || isSealed(name)

/** What may be shown of a stored document: of one with a secret, the form with stars. */
function toSnapshot(ctx: Context, name: string, value: Snapshot): Snapshot {
  if (!isSealed(name)) return value
  const gateway = openGateway(ctx.secrets, value) as MailGateway | SmsGateway | null
  return gateway ? { ...maskSecret(gateway) } : {}
}

async function current(ctx: Context, names: readonly string[]): Promise<ReadonlyMap<string, TargetState>> {
  const rows = new Map((await listSettings(ctx.db, names)).map((row) => [row.name, row]))
  const known = names.filter(isKnown)
  return new Map(
    known.map((name) => {
      const row = rows.get(name)
      return [name, { name: null, version: row?.version ?? 0, snapshot: toSnapshot(ctx, name, row?.value ?? {}) }]
    }),
  )
}

type ChangeReason = { reason?: string; actor?: string }
type ChangeOptions = ChangeReason & {
  /** It is the bootstrap file that sets them. */
  byFile?: boolean
}

/**
 * Merges `changes`, which must be valid as they are stored, into a settings document and writes down what stood there before.
 * @throws Refusal `settings.set-by-file`.
 */
export async function changeSettings(
  ctx: Context,
  name: string,
  changes: object,
  { byFile = false, ...why }: ChangeOptions = {},
): Promise<void> {
  const before = (await current(ctx, [name])).get(name)
  await mergeSettings(ctx, name, changes, { byFile })
  const after = (await current(ctx, [name])).get(name)
  if (isDeepStrictEqual(before, after)) return
  await recordAudit(ctx, {
    action: 'settings.change',
    targetKind: 'settings',
    targetId: name,
    before: before?.snapshot,
    after: after?.snapshot,
    ...why,
  })
}

/** What has to hold between the values of a document, besides the shape of each. */
const CHECKS: Readonly<Record<string, (ctx: Context, before: Snapshot, after: Snapshot) => Promise<void>>> = {
  login: checkLoginConfig,
}

type Replacement = { before: Snapshot; after: Snapshot; version: number }

/** @throws Refusal `version.conflict`, `settings.set-by-file`, and those of the document's check. */
async function replaceChecked(ctx: Context, name: string, { before, after, version }: Replacement): Promise<void> {
  await CHECKS[name]?.(ctx, before, after)
  if (!(await replaceSettings(ctx, name, after, version))) throw common['version.conflict']()
}

type SettingsEdit = { version: number; changes: Snapshot; reset: readonly string[] }

/**
 * Saves what somebody changed on the page of a settings document, in the caller's transaction: `changes`, valid as they are stored, are
 * set and the keys of `reset` go back to their defaults.
 * @returns false when somebody else has saved since `version`.
 * @throws Refusal `settings.set-by-file`, and those of the document's check.
 */
export async function editSettings(
  ctx: Context,
  name: string,
  { version, changes, reset }: SettingsEdit,
): Promise<boolean> {
  if ((await lockSettings(ctx.db, name)) !== version) return false
  const { value: before } = await findSettingsDocument(ctx.db, name)
  const kept = Object.entries({ ...before, ...changes }).filter(([key]) => !reset.includes(key))
  const after = Object.fromEntries(kept)
  if (isDeepStrictEqual(before, after)) return true
  await replaceChecked(ctx, name, { before, after, version })
  await recordAudit(ctx, { action: 'settings.change', targetKind: 'settings', targetId: name, before, after })
  return true
}

const stringsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []

/** Rules about second factors name categories and applications that may be gone. */
async function findGone(ctx: Context, name: string, snapshot: Snapshot): Promise<MissingReference[]> {
  if (name !== 'login') return []
  const categories = stringsOf(snapshot['secondFactorCategories'])
  const applications = stringsOf(snapshot['secondFactorApplications'])
  if (categories.length + applications.length === 0) return []
  const known = new Set(
    (await findKnownCodes(ctx.db, { categories, applications })).map(({ kind, code }) => `${kind} ${code}`),
  )
  return [
    ...categories
      .filter((code) => !known.has(`category ${code}`))
      .map((value) => ({ field: 'secondFactorCategories', value })),
    ...applications
      .filter((code) => !known.has(`application ${code}`))
      .map((value) => ({ field: 'secondFactorApplications', value })),
  ]
}

async function missing(ctx: Context, name: string, snapshot: Snapshot): Promise<MissingReference[]> {
  const { stays, keys } = await findFileValues(ctx, name)
  const held = keys.filter((key) => !isSealed(name) && !isDeepStrictEqual(snapshot[key], stays[key]))
  const toText = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
  return [
    ...(await findGone(ctx, name, snapshot)),
    ...held.map((field) => ({ field, value: toText(stays[field]), isSetByFile: true })),
  ]
}

/** What the bootstrap file sets stays as it says. */
async function findFileValues(ctx: Context, name: string): Promise<{ keys: string[]; stays: Snapshot }> {
  const { value, fileKeys } = await findSettingsDocument(ctx.db, name)
  return { keys: fileKeys, stays: Object.fromEntries(fileKeys.map((key) => [key, value[key]])) }
}

/** The given keys of a former state that the product of today still understands. @throws Refusal `settings.former-invalid`. */
function parseSnapshot(name: string, snapshot: Snapshot): Snapshot {
  const parsed = SETTINGS_DOCUMENTS[name]?.safeParse(snapshot)
  if (!parsed?.success) throw errors['settings.former-invalid']()
  return Object.fromEntries(Object.entries(parsed.data).filter(([key]) => Object.hasOwn(snapshot, key)))
}

async function restore(ctx: Context, name: string, snapshot: Snapshot, version: number): Promise<void> {
  if (isSealed(name)) {
    const gateway = SEALED_DOCUMENTS[name]?.nullable().safeParse(Object.keys(snapshot).length > 0 ? snapshot : null)
    if (!gateway?.success) throw errors['settings.former-invalid']()
    if ((await lockSettings(ctx.db, name)) !== version) throw common['version.conflict']()
    return await restoreGateway(ctx, name, gateway.data)
  }
  const gone = await findGone(ctx, name, snapshot)
  const isThere = (field: string, value: unknown) => !gone.some((one) => one.field === field && one.value === value)
  const kept = Object.entries(parseSnapshot(name, snapshot)).map(([key, value]) => [
    key,
    Array.isArray(value) ? value.filter((one) => isThere(key, one)) : value,
  ])
  const { stays } = await findFileValues(ctx, name)
  const { value: before } = await findSettingsDocument(ctx.db, name)
  await replaceChecked(ctx, name, { before, after: { ...Object.fromEntries(kept), ...stays }, version })
}

/** Settings go back to a former state; what a gateway's secret is, nobody is told and nothing restores. */
export const settingsRestorer: Restorer = { current, missing, restore }
