import { isDeepStrictEqual } from 'node:util'
import type { MailGateway, SmsGateway } from '#shared/contract/message-gateways.ts'
import { errors as common } from '../../platform/errors.ts'
import type { Context } from '../../platform/platform.ts'
import { mergeSettings, replaceSettings } from '../../platform/settings.ts'
import { maskSecret, openGateway, restoreGateway } from '../messages/index.ts'
import { type MissingReference, type Restorer, recordAudit, type Snapshot, type TargetState } from '../records/index.ts'
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

/** Merges `changes`, which must be valid as they are stored, into a settings document and writes down what stood there before. */
export async function changeSettings(
  ctx: Context,
  name: string,
  changes: object,
  why: ChangeReason = {},
): Promise<void> {
  const before = (await current(ctx, [name])).get(name)
  await mergeSettings(ctx, name, changes)
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

const stringsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []

/** Rules about second factors name categories and applications that may be gone. */
async function missing(ctx: Context, name: string, snapshot: Snapshot): Promise<MissingReference[]> {
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
  const gone = await missing(ctx, name, snapshot)
  const isThere = (field: string, value: unknown) => !gone.some((one) => one.field === field && one.value === value)
  const kept = Object.entries(parseSnapshot(name, snapshot)).map(([key, value]) => [
    key,
    Array.isArray(value) ? value.filter((one) => isThere(key, one)) : value,
  ])
  if (!(await replaceSettings(ctx, name, Object.fromEntries(kept), version))) throw common['version.conflict']()
}

/** Settings go back to a former state; what a gateway's secret is, nobody is told and nothing restores. */
export const settingsRestorer: Restorer = { current, missing, restore }
