import { v7 } from 'uuid'
import { withAdvisoryLock } from '../../platform/advisory-lock.ts'
import type { Db } from '../../platform/db.ts'
import { type Context, type Platform, transaction } from '../../platform/platform.ts'
import { retryOn } from '../../platform/retry.ts'
import { lockSettingsDocument, replaceFileKeys } from '../../platform/settings.ts'
import { invalidateApplications } from '../applications/index.ts'
import { recordAudit, recordAudits } from '../records/index.ts'
import { changeSettings } from '../settings/index.ts'
import { invalidateProviders, markFileProviders, saveProviders } from '../third-party-providers/index.ts'
import { planApplications, writeApplications } from './bootstrap-applications.service.ts'
import { toAuditRecords } from './bootstrap-audit.rules.ts'
import type { BootstrapDocument, BootstrapInput } from './bootstrap-document.types.ts'
import { readDocument, validateDocument } from './bootstrap-file.service.ts'
import { trackChanges } from './bootstrap-history.service.ts'
import { planNames, writeNames } from './bootstrap-names.service.ts'
import { planOrganizations, writeOrganizations } from './bootstrap-organizations.service.ts'
import { collectProblems, OutdatedPlanError, throwProblems } from './bootstrap-problems.errors.ts'
import { createReferenceDirectory } from './bootstrap-references.rules.ts'
import { planSettings, toShownChanges } from './bootstrap-settings.service.ts'
import { requireRemainingSuperUser } from './bootstrap-super-users.service.ts'
import { planProviders } from './bootstrap-third-party.service.ts'
import { type HashedSecrets, hashSecrets, lockPlannedUsers, planUsers, writeUsers } from './bootstrap-users.service.ts'
import { listUserIds } from './users.store.ts'

/** Any constant: nodes that start together apply their file one after the other. */
const BOOTSTRAP_LOCK = 7_402_118

/** How many entries were created, changed, or already up to date. */
type BootstrapResult = { created: number; updated: number; unchanged: number }

type Options = {
  /** Named in errors and in the audit record. */
  source: string
  /** It is the file applied at each start: pages may not change what it sets. */
  isFile?: boolean
  /** Additional writes in the same transaction, after the document's. */
  inTransaction?: (ctx: Context) => Promise<void>
}

/**
 * Applies a bootstrap file (JSON or YAML): upserts by natural key, all or nothing; a second run changes nothing.
 * @throws BootstrapError naming the offending entry, before anything is written.
 */
export async function applyBootstrapFile(platform: Platform, path: string): Promise<BootstrapResult> {
  return applyDocument(platform, validateDocument(path, await readDocument(path)), { source: path, isFile: true })
}

/** `applyBootstrapFile` for a document that is already in memory. */
export async function applyBootstrap(
  platform: Platform,
  document: BootstrapInput,
  options: Options,
): Promise<BootstrapResult> {
  return applyDocument(platform, validateDocument(options.source, document), options)
}

async function applyDocument(
  platform: Platform,
  document: BootstrapDocument,
  options: Options,
): Promise<BootstrapResult> {
  // Passwords are hashed between plan and write, which may take minutes.
  const step = () => planAndWrite(platform, document, options)
  return withAdvisoryLock(platform.sql, BOOTSTRAP_LOCK, () => retryOn(OutdatedPlanError, step))
}

async function planAndWrite(
  platform: Platform,
  document: BootstrapDocument,
  options: Options,
): Promise<BootstrapResult> {
  const plan = await planDocument(platform, document, options.source)
  const hashed = await hashSecrets(platform, plan.users.secrets)
  const result = resultOf(plan)
  const changes = result.created + result.updated > 0
  if (!changes && !options.inTransaction && !options.isFile) return result
  await transaction(startContext(platform), async (ctx) => {
    if (changes) await writePlan(ctx, plan, hashed, options)
    if (options.isFile) {
      await replaceFileKeys(ctx.db, plan.settings.keys)
      await markFileProviders(
        ctx.db,
        document.thirdPartyProviders.map(({ key }) => key),
      )
    }
    await options.inTransaction?.(ctx)
  })
  return result
}

type Plan = Awaited<ReturnType<typeof planDocument>>

async function planDocument(platform: Platform, document: BootstrapDocument, source: string) {
  const { sql } = platform
  const problems = collectProblems()
  const organizations = await planOrganizations(sql, document.organizations, problems)
  const categories = await planNames(sql, 'user_categories', document.userCategories)
  const personnelTypes = await planNames(sql, 'personnel_types', document.personnelTypes)
  const roles = await planNames(sql, 'roles', document.roles)
  const applicationCategories = await planNames(sql, 'application_categories', document.applicationCategories)
  const attributes = await planNames(sql, 'organization_attributes', document.organizationAttributes)
  const ids = {
    organization: new Map([...organizations.byCode].map(([code, { id }]) => [code, id])),
    category: categories.idByCode,
    personnelType: personnelTypes.idByCode,
    role: roles.idByCode,
    applicationCategory: applicationCategories.idByCode,
  }
  const users = await planUsers(
    platform,
    document.users,
    createReferenceDirectory({ ...ids, user: new Map() }),
    problems,
  )
  const user = await findGrantedAccounts(sql, document, users.idByAccount)
  const applications = await planApplications(
    platform,
    document.applications,
    createReferenceDirectory({ ...ids, user }),
    problems,
  )
  const providers = await planProviders(
    platform,
    document.thirdPartyProviders,
    createReferenceDirectory({ ...ids, user: new Map() }),
    problems,
  )
  const settings = await planSettings({ db: sql, secrets: platform.secrets }, document.settings, problems)
  throwProblems(source, problems)
  const names = [categories, personnelTypes, roles, applicationCategories, attributes]
  return { organizations, names, users, applications, providers, settings }
}

/** The people named by grants, in the document or outside it. */
async function findGrantedAccounts(db: Db, document: BootstrapDocument, listed: ReadonlyMap<string, string>) {
  const accounts = document.applications.flatMap(({ authorized }) => authorized?.users ?? [])
  const others = accounts.filter((account) => !listed.has(account))
  const found = others.length > 0 ? await listUserIds(db, others) : []
  return new Map([...listed, ...found.map(({ account, id }) => [account, id] as const)])
}

function resultOf({ organizations, names, users, applications, providers, settings }: Plan): BootstrapResult {
  const plans = [organizations, ...names, users, applications, providers]
  const sum = (count: (plan: (typeof plans)[number]) => number) => plans.reduce((total, plan) => total + count(plan), 0)
  return {
    created: sum((plan) => plan.inserted.length) + settings.created,
    updated: sum((plan) => plan.updated.length) + settings.changed.length - settings.created,
    unchanged: sum((plan) => plan.unchanged) + settings.unchanged,
  }
}

async function writePlan(
  ctx: Context,
  plan: Plan,
  hashed: HashedSecrets,
  { source, isFile = false }: Options,
): Promise<void> {
  const now = ctx.now()
  // Before people are locked, whom writers by these settings lock after them.
  for (const { name } of plan.settings.changed) await lockSettingsDocument(ctx.db, name, { isPatient: true })
  const writeHistory = await trackChanges(ctx, plan, source)
  for (const names of plan.names) await writeNames(ctx.db, names)
  await writeOrganizations(ctx.db, plan.organizations, now)
  await lockPlannedUsers(ctx.db, plan.users)
  await requireRemainingSuperUser(ctx, plan.users, source)
  await writeUsers(ctx, plan.users, hashed, now)
  await recordAudits(ctx, toAuditRecords(plan.users))
  await writeApplications(ctx.db, plan.applications, now)
  await writeHistory()
  await saveProviders(ctx.db, [...plan.providers.inserted, ...plan.providers.updated], now)
  await invalidateProviders(ctx, ctx.db)
  for (const { name, changes } of plan.settings.changed) {
    await changeSettings(ctx, name, changes, { actor: 'bootstrap', reason: source.slice(-200), byFile: isFile })
  }
  await invalidateApplications(ctx, ctx.db)
  await recordAudit(ctx, {
    action: 'bootstrap.apply',
    targetKind: 'bootstrap',
    targetId: source.slice(-200),
    actor: 'bootstrap',
    after: summarizeChanges(plan),
  })
}

/** Enough to see who became what, few enough for one record. */
const MAX_NAMED = 200

function summarizeChanges({ organizations, names, users, applications, providers, settings }: Plan) {
  const [userCategories, personnelTypes, roles, applicationCategories, organizationAttributes] = names
  const codes = (rows: readonly { code: string }[] = []) => rows.slice(0, MAX_NAMED).map(({ code }) => code)
  const listed = {
    organizations,
    organizationAttributes,
    userCategories,
    personnelTypes,
    roles,
    applicationCategories,
  }
  const people = (rows: typeof users.inserted) => rows.slice(0, MAX_NAMED).map(({ account }) => account)
  const superUsers = [...users.inserted, ...users.updated].filter(({ isSuperUser }) => isSuperUser)
  return {
    ...Object.fromEntries(
      Object.entries(listed).map(([name, plan]) => [
        name,
        { created: codes(plan?.inserted), updated: codes(plan?.updated) },
      ]),
    ),
    users: {
      created: people(users.inserted),
      createdCount: users.inserted.length,
      updated: people(users.updated),
      updatedCount: users.updated.length,
      superUsers: people(superUsers),
    },
    applications: {
      created: applications.inserted.map(({ appId }) => appId),
      updated: applications.updated.map(({ appId }) => appId),
    },
    thirdPartyProviders: {
      created: providers.inserted.map(({ key }) => key),
      updated: providers.updated.map(({ key }) => key),
    },
    settings: Object.fromEntries(settings.changed.map(toShownChanges)),
  }
}

/** The context of work without a request; its audit records belong together by their request id. */
const startContext = (platform: Platform): Context => ({
  ...platform,
  db: platform.sql,
  client: { requestId: v7(), ip: '', userAgent: '', language: 'en' },
  caller: null,
})
