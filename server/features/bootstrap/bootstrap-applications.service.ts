import { invalidGrantCombinations } from '#shared/rules/invalid-grant-combinations.ts'
import type { Db } from '../../platform/db.ts'
import type { Platform } from '../../platform/platform.ts'
import { deleteGrantRows, type GrantRow, insertGrantRows } from '../application-grants/index.ts'
import { newApplicationRow } from '../application-manage/index.ts'
import { type ApplicationRow, listApplicationRows, lockApplications, saveApplications } from '../applications/index.ts'
import { buildSearchKeys } from '../name-search/index.ts'
import { hashPassword, verifyPassword } from '../passwords/index.ts'
import type { ApplicationEntry } from './bootstrap-document.types.ts'
import { planGrants } from './bootstrap-grants.service.ts'
import { addToPlan, emptyPlan, mergeGiven, type RowPlan } from './bootstrap-plan.rules.ts'
import type { Problems } from './bootstrap-problems.errors.ts'
import type { ReferenceDirectory } from './bootstrap-references.rules.ts'

export type ApplicationPlan = RowPlan<ApplicationRow> & { granted: GrantRow[]; withdrawn: GrantRow[] }

export async function planApplications(
  platform: Platform,
  entries: readonly ApplicationEntry[],
  directory: ReferenceDirectory,
  problems: Problems,
): Promise<ApplicationPlan> {
  const all = entries.length > 0 ? [...(await listApplicationRows(platform.sql))] : []
  const before = new Map(all.map((row) => [row.appId, row]))
  const rows: ApplicationRow[] = []
  for (const [at, entry] of entries.entries()) {
    rows.push(await toRow(platform, entry, before.get(entry.appId), at, directory, problems))
  }
  reportSharedClientIds(rows, all, problems)
  for (const [at, row] of rows.entries()) reportInvalidGrants(row, `applications[${at}]`, problems)
  const { granted, withdrawn } = await planGrants(platform.sql, entries, rows, directory, problems)
  const regranted = new Set([...granted, ...withdrawn].map(({ applicationId }) => applicationId))
  const plan = emptyPlan<ApplicationRow>()
  for (const row of rows) {
    const existing = before.get(row.appId)
    if (existing && regranted.has(row.id)) plan.updated.push(row)
    else addToPlan(plan, existing, row)
  }
  return { ...plan, granted, withdrawn }
}

async function toRow(
  platform: Platform,
  entry: ApplicationEntry,
  existing: ApplicationRow | undefined,
  at: number,
  directory: ReferenceDirectory,
  problems: Problems,
): Promise<ApplicationRow> {
  const { appId, name, protocol, category, clientSecret, authorized: _, ...given } = entry
  const base = existing ?? {
    ...newApplicationRow(platform),
    appId,
    name,
    namePinyin: '',
    nameInitials: '',
    casOptions: {},
    protocol,
    position: at,
  }
  const forms = existing?.name === name ? null : await buildSearchKeys(name)
  return mergeGiven<ApplicationRow>(base, {
    ...given,
    ...(existing?.deletedAt && { enabled: false }),
    name,
    protocol,
    namePinyin: forms?.pinyin,
    nameInitials: forms?.initials,
    categoryId: directory.resolver(problems).one('applicationCategory', category, `applications[${at}].category`),
    clientSecretHash: await secretHash(platform, clientSecret, existing?.clientSecretHash ?? null),
  })
}

/** Secrets are often chosen by people, so they are hashed like passwords. An unchanged secret keeps its hash. */
async function secretHash(platform: Platform, secret: string | null | undefined, hash: string | null) {
  if (secret === null || secret === undefined) return secret
  const isSame = hash !== null && (await verifyPassword(platform, secret, hash)).right
  return isSame ? hash : hashPassword(platform, secret)
}

function reportSharedClientIds(
  rows: readonly ApplicationRow[],
  all: readonly ApplicationRow[],
  problems: Problems,
): void {
  const listed = new Set(rows.map(({ appId }) => appId))
  const owners = new Map(all.filter(({ appId }) => !listed.has(appId)).map(({ clientId, appId }) => [clientId, appId]))
  for (const [at, { clientId, appId }] of rows.entries()) {
    if (clientId === null) continue
    const owner = owners.get(clientId)
    if (owner !== undefined) problems.add(`applications[${at}].clientId`, `already that of the application "${owner}"`)
    else owners.set(clientId, appId)
  }
}

const INVALID_GRANT_MESSAGES = {
  'password-needs-secret': 'password needs an application with a clientSecret',
  'implicit-needs-https': 'with implicit they have to be https addresses, and not localhost',
} as const

function reportInvalidGrants(row: ApplicationRow, path: string, problems: Problems): void {
  for (const { field, reason } of invalidGrantCombinations({ ...row, hasSecret: row.clientSecretHash !== null })) {
    problems.add(`${path}.${field}`, INVALID_GRANT_MESSAGES[reason])
  }
}

export async function writeApplications(db: Db, plan: ApplicationPlan, now: Date): Promise<void> {
  for (const rows of [plan.inserted, await withPresentState(db, plan.updated)]) {
    const taken = await saveApplications(db, rows, now)
    if (taken) throw new Error(`somebody else has taken or deleted what the file names: ${taken}`)
  }
  await deleteGrantRows(db, plan.withdrawn)
  await insertGrantRows(db, plan.granted)
}

/** With what the file says nothing about as it is now: somebody may have deleted an application since the plan was made. */
async function withPresentState(db: Db, rows: readonly ApplicationRow[]): Promise<ApplicationRow[]> {
  const ids = rows.map(({ id }) => id)
  const present = new Map((await lockApplications(db, ids)).map((one) => [one.id, one]))
  return rows.map((row) => {
    const current = present.get(row.id)
    if (!current) return row
    const { deletedAt, template, profileStyle, tokenStyle } = current
    return { ...row, deletedAt, template, profileStyle, tokenStyle, ...(deletedAt && { enabled: false }) }
  })
}
