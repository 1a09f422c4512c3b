import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { HttpChannel, MailGateway, SmsGateway } from '#shared/contract/message-gateways.ts'
import { errors as common, type Refusal } from '../../platform/errors.ts'
import { parseInput } from '../../platform/http/responses.ts'
import type { Context } from '../../platform/platform.ts'
import { findSettingsDocument, lockSettingsDocument, mergeSettings, replaceSettings } from '../../platform/settings.ts'
import { maskSecret, openGateway, restoreGateway } from '../messages/index.ts'
import { type MissingReference, type Restorer, recordAudit, type Snapshot, type TargetState } from '../records/index.ts'
import { awaitConfirmation } from '../unconfirmed-changes/index.ts'
import { checkAccountFields } from './account-fields-checks.service.ts'
import { withoutMovedKeys } from './file-settings.rules.ts'
import { CATEGORY_KEYS, checkLoginConfig } from './login-config-checks.service.ts'
import { findKnownCodes, listSettings, lockSettings } from './settings.store.ts'
import { isSealed, SEALED_DOCUMENTS, SETTINGS_DOCUMENTS } from './settings-documents.rules.ts'

const isKnown = (name: string): boolean => Object.hasOwn(SETTINGS_DOCUMENTS, name) || isSealed(name)

/** The visible part of a stored document: one with a secret has that masked. */
function toSnapshot(ctx: Context, name: string, value: Snapshot): Snapshot {
  if (!isSealed(name)) return value
  const gateway = openGateway(ctx.secrets, value) as MailGateway | SmsGateway | HttpChannel | null
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
  /** Set by the bootstrap file itself. */
  byFile?: boolean
}

/**
 * Merges `changes`, already valid, into a settings document and records the former state.
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

/**
 * Checks constraints between the values of a document, besides the schema of each.
 * @returns the error for what locks the caller out.
 */
type Check = (ctx: Context, before: Snapshot, after: Snapshot) => Promise<Refusal | null>

const CHECKS: Readonly<Record<string, Check>> = {
  accountFields: checkAccountFields,
  login: checkLoginConfig,
}

type Replacement = { before: Snapshot; after: Snapshot; version: number; force?: boolean }

/**
 * @returns the fields that lock the caller out, if the change is forced.
 * @throws Refusal `version.conflict`, `settings.set-by-file`, and those of the document's check.
 */
async function replaceChecked(
  ctx: Context,
  name: string,
  { before, after, version, force = false }: Replacement,
): Promise<string[]> {
  // What is checked includes people, whom nobody may write by the former rules from here on.
  await lockSettingsDocument(ctx.db, name)
  const lockOut = (await CHECKS[name]?.(ctx, before, after)) ?? null
  if (lockOut && !force) throw lockOut
  if (!(await replaceSettings(ctx, name, after, version))) throw common['version.conflict']()
  return lockOut ? fieldsOf(lockOut) : []
}

const fieldsOf = ({ data }: Refusal): string[] => (data as { fields: string[] }).fields

type SettingsEdit = { version: number; changes: Snapshot; reset: readonly string[]; force?: boolean }

/**
 * Saves a page's edit of a settings document, in the caller's transaction: sets `changes`, already valid, and resets the keys of `reset` to
 * their defaults.
 * @param edit `force`: a change that locks the caller out is saved anyway, and waits for its confirmation.
 * @returns false if somebody else has saved since `version`.
 * @throws Refusal `settings.set-by-file`, `unconfirmed-change.pending`, and those of the document's check.
 */
export async function editSettings(
  ctx: Context,
  name: string,
  { version, changes, reset, force = false }: SettingsEdit,
): Promise<boolean> {
  if ((await lockSettings(ctx.db, name)) !== version) return false
  const { value: before } = await findSettingsDocument(ctx.db, name)
  const kept = Object.entries({ ...before, ...changes }).filter(([key]) => !reset.includes(key))
  const after = Object.fromEntries(kept)
  if (isDeepStrictEqual(before, after)) return true
  const lockingOut = await replaceChecked(ctx, name, { before, after, version, force })
  const target = { targetKind: 'settings', targetId: name }
  await recordAudit(ctx, { action: 'settings.change', ...target, before, after })
  if (lockingOut.length > 0) await awaitConfirmation(ctx, { ...target, before, after, fields: lockingOut })
  return true
}

/**
 * Resets keys to their defaults without any check; those set by the bootstrap file stay.
 * @returns those that were reset, and those that the file sets, among keys not at their default.
 */
export async function resetSettings(
  ctx: Context,
  name: string,
  keys: readonly string[],
  why: ChangeReason,
): Promise<{ reset: string[]; setByFile: string[] }> {
  const version = await lockSettings(ctx.db, name)
  const { value: before, fileKeys } = await findSettingsDocument(ctx.db, name)
  const stored = keys.filter((key) => Object.hasOwn(before, key))
  const setByFile = stored.filter((key) => fileKeys.includes(key))
  const reset = stored.filter((key) => !fileKeys.includes(key))
  if (reset.length === 0) return { reset, setByFile }
  const after = Object.fromEntries(Object.entries(before).filter(([key]) => !reset.includes(key)))
  if (!(await replaceSettings(ctx, name, after, version))) throw common['version.conflict']()
  await recordAudit(ctx, { action: 'settings.change', targetKind: 'settings', targetId: name, before, after, ...why })
  return { reset, setByFile }
}

const stringsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []

/** Entries of this list name categories of their own. */
const DEMANDS = 'passwordRules'
type Demand = { categories: unknown; administrators?: unknown }
const demandsOf = (snapshot: Snapshot): Demand[] => {
  const demands = snapshot[DEMANDS]
  return Array.isArray(demands) ? demands : []
}

/** Password rules without the deleted categories; one that would apply to nobody is removed too. */
const withoutCategories = (demands: readonly Demand[], gone: (code: string) => boolean): Demand[] =>
  demands
    .map((demand) => ({ ...demand, categories: stringsOf(demand.categories).filter((code) => !gone(code)) }))
    .filter(({ categories, administrators }) => categories.length > 0 || administrators === true)

/** Rules may name deleted categories and applications. */
async function findGone(ctx: Context, name: string, snapshot: Snapshot): Promise<MissingReference[]> {
  if (name !== 'login') return []
  const demanded = demandsOf(snapshot).flatMap(({ categories }) => stringsOf(categories))
  const named = [
    ...CATEGORY_KEYS.flatMap((field) => stringsOf(snapshot[field]).map((value) => ({ field, value }))),
    ...[...new Set(demanded)].map((value) => ({ field: DEMANDS, value })),
  ]
  const categories = named.map(({ value }) => value)
  const applications = stringsOf(snapshot['secondFactorApplications'])
  if (categories.length + applications.length === 0) return []
  const known = new Set(
    (await findKnownCodes(ctx.db, { categories, applications })).map(({ kind, code }) => `${kind} ${code}`),
  )
  return [
    ...named.filter(({ value }) => !known.has(`category ${value}`)),
    ...applications
      .filter((code) => !known.has(`application ${code}`))
      .map((value) => ({ field: 'secondFactorApplications', value })),
  ]
}

async function missing(ctx: Context, name: string, snapshot: Snapshot): Promise<MissingReference[]> {
  const { fileValues, keys } = await findFileValues(ctx, name)
  const overridden = keys.filter((key) => !isSealed(name) && !isDeepStrictEqual(snapshot[key], fileValues[key]))
  const toText = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
  return [
    ...(await findGone(ctx, name, snapshot)),
    ...overridden.map((field) => ({ field, value: toText(fileValues[field]), isSetByFile: true })),
  ]
}

/** Keys set by the bootstrap file stay as they are. */
async function findFileValues(ctx: Context, name: string): Promise<{ keys: string[]; fileValues: Snapshot }> {
  const { value, fileKeys } = await findSettingsDocument(ctx.db, name)
  return { keys: fileKeys, fileValues: Object.fromEntries(fileKeys.map((key) => [key, value[key]])) }
}

/** A former state, as far as the current version knows its keys. @throws Refusal `request.invalid`, naming what it no longer allows. */
function parseSnapshot(ctx: Context, name: string, snapshot: Snapshot): Snapshot {
  const schema = SETTINGS_DOCUMENTS[name] ?? z.object({})
  const parsed = parseInput(schema, withoutMovedKeys(name, snapshot), ctx, ctx.client.language)
  return Object.fromEntries(Object.entries(parsed).filter(([key]) => Object.hasOwn(snapshot, key)))
}

async function restore(ctx: Context, name: string, snapshot: Snapshot, version: number): Promise<void> {
  if (isSealed(name)) {
    const isSet = Object.keys(snapshot).length > 0
    const gateway = isSet ? parseInput(SEALED_DOCUMENTS[name], snapshot, ctx, ctx.client.language) : null
    if ((await lockSettings(ctx.db, name)) !== version) throw common['version.conflict']()
    return await restoreGateway(ctx, name, gateway)
  }
  const gone = await findGone(ctx, name, snapshot)
  const isThere = (field: string, value: unknown) => !gone.some((one) => one.field === field && one.value === value)
  const leftOf = (key: string, value: unknown) => {
    if (key === DEMANDS) return withoutCategories(value as Demand[], (code) => !isThere(key, code))
    return Array.isArray(value) ? value.filter((one) => isThere(key, one)) : value
  }
  const kept = Object.entries(parseSnapshot(ctx, name, snapshot)).map(([key, value]) => [key, leftOf(key, value)])
  const { fileValues } = await findFileValues(ctx, name)
  const { value: before } = await findSettingsDocument(ctx.db, name)
  await replaceChecked(ctx, name, { before, after: { ...Object.fromEntries(kept), ...fileValues }, version })
}

/** Access rules are suspended only on the command line, and activated only where it is shown whom that would lock out. */
const NOT_RESTORABLE = 'access'

/** How settings are rolled back; a gateway's secret is neither shown nor restored. */
export const settingsRestorer: Restorer = {
  partOf({ targetId, ...line }, side) {
    const state = line[side]
    return state && targetId !== NOT_RESTORABLE ? { id: targetId, state } : null
  },
  current,
  missing,
  restore,
}
