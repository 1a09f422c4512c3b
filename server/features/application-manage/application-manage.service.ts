import { v7 } from 'uuid'
import { NEW_APPLICATION } from '#shared/contract/application-fields.ts'
import type {
  ApplicationDetails,
  createApplication,
  listApplications,
  updateApplication,
} from '#shared/contract/application-manage.ts'
import { randomToken } from '../../platform/crypto.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import type { Input } from '../../platform/http/mount.ts'
import { type Context, callerOf, transaction } from '../../platform/platform.ts'
import {
  type ApplicationRow,
  findApplicationsById,
  invalidateApplications,
  lockApplication,
} from '../applications/index.ts'
import { claimIcon } from '../files/index.ts'
import { buildSearchKeys } from '../name-search/index.ts'
import { hashPassword } from '../passwords/index.ts'
import { recordAudit } from '../records/index.ts'
import { assertValidApplication, writeApplications } from './application-checks.service.ts'
import { errors } from './application-manage.errors.ts'
import { toApplicationDetails, toApplicationSnapshot } from './application-mapping.rules.ts'
import { pageOfApplications } from './applications-list.store.ts'
import { categoryName } from './categories.store.ts'

const MONTH_MS = 30 * 24 * 3_600_000

/** @throws Refusal `list.too-deep`. */
export async function managedApplicationsPage(ctx: Context, query: Input<typeof listApplications>['query']) {
  const { language } = ctx.client
  const order = {
    column: query.sort.endsWith('name') ? ('name' as const) : ('updatedAt' as const),
    descending: query.sort.startsWith('-'),
    language,
    since: new Date(ctx.now().getTime() - MONTH_MS),
  }
  const page = await pageOfApplications(ctx.db, query, order, query)
  const records = page.records.map(({ enabled, names, updatedAt, ...row }) => ({
    ...row,
    name: names[language] ?? row.name,
    state: enabled ? (1 as const) : (0 as const),
    updatedAt: updatedAt.toISOString(),
  }))
  return { ...page, records }
}

/** @throws Refusal `application.not-found`. */
export async function getApplication(ctx: Context, id: string): Promise<ApplicationRow> {
  const [row] = await findApplicationsById(ctx.db, [id])
  if (!row) throw errors['application.not-found']()
  return row
}

export const loadApplicationDetails = async (ctx: Context, row: ApplicationRow): Promise<ApplicationDetails> =>
  toApplicationDetails(row, await categoryName(ctx.db, row.categoryId, ctx.client.language))

type NewApplicationInput = Input<typeof createApplication>['body']

/** The scopes a client must be allowed to request so that it receives the attributes released to it. */
const scopesFor = (attributes: NewApplicationInput['attributes'] = []): string[] =>
  attributes.some((one) => 'from' in one && one.from === 'mailbox')
    ? ['openid', 'profile', 'email']
    : ['openid', 'profile']

/** Creates an application. Only its type restricts who may enter: a system application waits for grants. */
export async function createManagedApplication(ctx: Context, { pictureId, isPublic, ...given }: NewApplicationInput) {
  const secret = given.protocol === 'oauth2' && !isPublic ? randomToken(43) : null
  const row = {
    ...newApplicationRow(ctx),
    scopes: scopesFor(given.attributes),
    ...given,
    ...(given.protocol === 'oauth2' && { clientId: given.clientId ?? given.appId }),
    ...(await toNameSearchForms(given.name)),
    clientSecretHash: secret === null ? null : await hashPassword(ctx, secret),
  } as ApplicationRow
  await createCheckedApplication(ctx, row, pictureId)
  return { id: row.id, secret }
}

/** Writes a new application after all checks. */
export async function createCheckedApplication(ctx: Context, row: ApplicationRow, pictureId?: string): Promise<void> {
  await transaction(ctx, async (inner) => {
    await assertValidApplication(inner, row)
    const picture = pictureId ? await claimIcon(inner, pictureId, callerOf(inner).userId) : row.picture
    await insertNewApplications(inner, [{ ...row, picture }])
  })
}

/** Inserts rows with their audit records, in the transaction of `ctx`. */
export async function insertNewApplications(ctx: Context, rows: readonly ApplicationRow[]): Promise<void> {
  await writeApplications(ctx, rows)
  await invalidateApplications(ctx, ctx.db)
  for (const row of rows) {
    const target = { targetKind: 'application', targetId: row.id }
    await recordAudit(ctx, { action: 'application.create', ...target, after: toApplicationSnapshot(row) })
  }
}

/** The defaults of a new application. */
export function newApplicationRow(ctx: Pick<Context, 'now'>): ApplicationRow {
  const copied = structuredClone(NEW_APPLICATION) as unknown as Omit<ApplicationRow, 'id'>
  const now = ctx.now()
  return {
    ...copied,
    id: v7(),
    picture: null,
    enabled: true,
    deletedAt: null,
    builtIn: false,
    clientSecretHash: null,
    createdAt: now,
    updatedAt: now,
    version: 1,
  }
}

export async function toNameSearchForms(name: string) {
  const { pinyin, initials } = await buildSearchKeys(name)
  return { namePinyin: pinyin, nameInitials: initials }
}

/** What can be edited of the portal itself; the rest follows from the server's own address. */
const BUILT_IN_EDITABLE_FIELDS = new Set(['name', 'names', 'description', 'descriptions', 'pictureId', 'position'])

type ApplicationUpdateInput = Input<typeof updateApplication>['body']

/** @throws Refusal `version.conflict` with the current application, and what `createManagedApplication` throws. */
export async function updateManagedApplication(ctx: Context, id: string, { version, changes }: ApplicationUpdateInput) {
  const { pictureId, ...fields } = changes
  const forms = fields.name === undefined ? {} : await toNameSearchForms(fields.name)
  return await changeApplication(ctx, id, version, 'application.update', async (inner, row) => {
    if (row.builtIn && Object.keys(changes).some((name) => !BUILT_IN_EDITABLE_FIELDS.has(name))) {
      throw errors['application.built-in']()
    }
    const wanted = { ...row, ...fields, ...forms } as ApplicationRow
    await assertValidApplication(inner, wanted, (name) => `changes.${name}`)
    if (pictureId === undefined) return wanted
    return { ...wanted, picture: pictureId && (await claimIcon(inner, pictureId, callerOf(inner).userId)) }
  })
}

/**
 * One change of one application: locks its row, compares its version, writes the audit record with both snapshots, notifies all nodes.
 * @param version null: any.
 */
export async function changeApplication(
  ctx: Context,
  id: string,
  version: number | null,
  action: string,
  decide: (inner: Context, row: ApplicationRow) => Promise<ApplicationRow>,
): Promise<ApplicationDetails> {
  return await transaction(ctx, async (inner) => {
    const row = await lockApplication(inner.db, id)
    if (!row) throw errors['application.not-found']()
    if (version !== null && row.version !== version) {
      throw platformErrors['version.conflict']({ data: { current: await loadApplicationDetails(inner, row) } })
    }
    const wanted = await decide(inner, row)
    await writeApplications(inner, [wanted])
    await invalidateApplications(inner, inner.db)
    const target = { targetKind: 'application', targetId: id }
    await recordAudit(inner, {
      action,
      ...target,
      before: toApplicationSnapshot(row),
      after: toApplicationSnapshot(wanted),
    })
    return await loadApplicationDetails(inner, await getApplication(inner, id))
  })
}
