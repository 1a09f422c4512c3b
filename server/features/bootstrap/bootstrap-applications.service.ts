import { v7 } from 'uuid'
import { invalidGrantCombinations } from '#shared/rules/invalid-grant-combinations.ts'
import type { Db } from '../../platform/db.ts'
import type { Platform } from '../../platform/platform.ts'
import { buildSearchKeys } from '../name-search/index.ts'
import { hashPassword, verifyPassword } from '../passwords/index.ts'
import {
  type ApplicationRow,
  deleteGrants,
  type GrantRow,
  insertApplications,
  insertGrants,
  listApplications,
  updateApplications,
} from './applications.store.ts'
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
  const all = entries.length > 0 ? [...(await listApplications(platform.sql))] : []
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

const NEW_APPLICATION = {
  names: {},
  namePinyin: '',
  nameInitials: '',
  description: '',
  descriptions: {},
  categoryId: null,
  type: 'system',
  url: null,
  picture: null,
  enabled: true,
  deleted: false,
  userAttribute: 'account',
  attributes: [],
  serviceUrls: [],
  singleLogout: 'back-channel',
  logoutUrl: null,
  proxy: false,
  proxyCallbackUrls: [],
  casOptions: {},
  clientId: null,
  clientSecretHash: null,
  redirectUris: [],
  postLogoutRedirectUris: [],
  backchannelLogoutUri: null,
  grantTypes: ['authorization_code', 'refresh_token'],
  scopes: ['openid'],
  consent: 'implicit',
  idTokenAlg: 'RS256',
  idTokenClaims: true,
  resourceServer: false,
  subjectType: 'public',
} satisfies Partial<ApplicationRow>

async function toRow(
  platform: Platform,
  entry: ApplicationEntry,
  existing: ApplicationRow | undefined,
  at: number,
  directory: ReferenceDirectory,
  problems: Problems,
): Promise<ApplicationRow> {
  const { appId, name, protocol, category, clientSecret, authorized: _, ...given } = entry
  const base = existing ?? { ...NEW_APPLICATION, id: v7(), appId, name, protocol, position: at }
  const forms = existing?.name === name ? null : await buildSearchKeys(name)
  return mergeGiven<ApplicationRow>(base, {
    ...given,
    ...(existing?.deleted && { enabled: false }),
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
  await insertApplications(db, plan.inserted, now)
  await updateApplications(db, plan.updated, now)
  await deleteGrants(db, plan.withdrawn)
  await insertGrants(db, plan.granted)
}
