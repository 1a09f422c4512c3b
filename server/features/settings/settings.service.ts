import { isDeepStrictEqual } from 'node:util'
import type { MailGateway, SmsGateway } from '#shared/contract/message-gateways.ts'
import { errors as common } from '../../platform/errors.ts'
import type { Context } from '../../platform/platform.ts'
import { replaceSettings, writeSettings } from '../../platform/settings.ts'
import type { Current, Missing, Restorer, Snapshot } from '../change-history/index.ts'
import { openGateway, restoreGateway, withoutSecret } from '../messages/index.ts'
import { recordAudit } from '../records/index.ts'
import { isSealed, SEALED_DOCUMENTS, SETTINGS_DOCUMENTS } from './settings.documents.ts'
import { errors } from './settings.errors.ts'
import { codesOf, lockedVersion, settingsRows } from './settings.store.ts'

const isKnown = (name: string): boolean => Object.hasOwn(SETTINGS_DOCUMENTS, name) || isSealed(name)

/** What may be shown of a stored document: of one with a secret, the form with stars. */
function shownOf(ctx: Context, name: string, value: Snapshot): Snapshot {
  if (!isSealed(name)) return value
  const gateway = openGateway(ctx.secrets, value) as MailGateway | SmsGateway | null
  return gateway ? { ...withoutSecret(gateway) } : {}
}

async function current(ctx: Context, names: readonly string[]): Promise<ReadonlyMap<string, Current>> {
  const rows = new Map((await settingsRows(ctx.db, names)).map((row) => [row.name, row]))
  const known = names.filter(isKnown)
  return new Map(
    known.map((name) => {
      const row = rows.get(name)
      return [name, { name: null, version: row?.version ?? 0, snapshot: shownOf(ctx, name, row?.value ?? {}) }]
    }),
  )
}

type Why = { reason?: string; actor?: string }

/** Merges `changes`, which must be valid as they are stored, into a settings document and writes down what stood there before. */
export async function changeSettings(ctx: Context, name: string, changes: object, why: Why = {}): Promise<void> {
  const before = (await current(ctx, [name])).get(name)
  await writeSettings(ctx, name, changes)
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

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [])

/** Rules about second factors name categories and applications that may be gone. */
async function missing(ctx: Context, name: string, snapshot: Snapshot): Promise<Missing[]> {
  if (name !== 'login') return []
  const categories = texts(snapshot['secondFactorCategories'])
  const applications = texts(snapshot['secondFactorApplications'])
  if (categories.length + applications.length === 0) return []
  const known = new Set(
    (await codesOf(ctx.db, { categories, applications })).map(({ kind, code }) => `${kind} ${code}`),
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
function stillValid(name: string, snapshot: Snapshot): Snapshot {
  const parsed = SETTINGS_DOCUMENTS[name]?.safeParse(snapshot)
  if (!parsed?.success) throw errors['settings.former-invalid']()
  return Object.fromEntries(Object.entries(parsed.data).filter(([key]) => Object.hasOwn(snapshot, key)))
}

async function restore(ctx: Context, name: string, snapshot: Snapshot, version: number): Promise<void> {
  if (isSealed(name)) {
    const gateway = SEALED_DOCUMENTS[name]?.nullable().safeParse(Object.keys(snapshot).length > 0 ? snapshot : null)
    if (!gateway?.success) throw errors['settings.former-invalid']()
    if ((await lockedVersion(ctx.db, name)) !== version) throw common['version.conflict']()
    return await restoreGateway(ctx, name, gateway.data)
  }
  const gone = await missing(ctx, name, snapshot)
  const isThere = (field: string, value: unknown) => !gone.some((one) => one.field === field && one.value === value)
  const kept = Object.entries(stillValid(name, snapshot)).map(([key, value]) => [
    key,
    Array.isArray(value) ? value.filter((one) => isThere(key, one)) : value,
  ])
  if (!(await replaceSettings(ctx, name, Object.fromEntries(kept), version))) throw common['version.conflict']()
}

/** Settings go back to a former state; what a gateway's secret is, nobody is told and nothing restores. */
export const settingsRestorer: Restorer = { current, missing, restore }
