import { v7 } from 'uuid'
import type { z } from 'zod'
import type { listRoles, RoleFields, roleOptions, rolesOfPerson } from '#shared/contract/roles.ts'
import type { SqlFragment } from '../../platform/db.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import type { Input } from '../../platform/http/mount.ts'
import { toIso } from '../../platform/iso-time.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { inScope, isPersonVisible } from '../access/index.ts'
import { refuseIfNamedByRules } from '../access-rules/index.ts'
import { buildSearchKeys } from '../name-search/index.ts'
import { recordAudit } from '../records/index.ts'
import { countReached } from './reach.store.ts'
import { listGrantedApplications } from './role-impact.store.ts'
import { errors } from './roles.errors.ts'
import {
  deleteRoleRow,
  findRole,
  insertRole,
  isCodeTaken,
  listRoleSnapshots,
  lockRole,
  pageOfPersonRoles,
  pageOfRoles,
  ROLE_SORTS,
  type RoleDetailsRow,
  type RoleRow,
  type RoleSnapshot,
  updateRoleRow,
} from './roles.store.ts'

export const ROLE_TARGET_KIND = 'role'

const toRoleListItem = ({ updatedAt, ...row }: RoleRow) => ({ ...row, updatedAt: toIso(updatedAt) })

const toRoleDetails = ({ createdAt, ...row }: RoleDetailsRow) => ({
  ...toRoleListItem(row),
  names: row.names,
  createdAt: toIso(createdAt),
})

/** @throws Refusal `list.too-deep`. */
export async function rolesPage(ctx: Context, query: Input<typeof listRoles>['query']) {
  const { language } = ctx.client
  const filter = { search: query.search.normalize('NFKC'), applicationId: query.applicationId ?? null, language }
  const sort = ROLE_SORTS.find((name) => query.sort.endsWith(name)) ?? 'code'
  const order = { sort, descending: query.sort.startsWith('-') }
  const page = await pageOfRoles(ctx.db, filter, order, query)
  return { ...page, records: page.records.map(toRoleListItem) }
}

/** For selection lists: names and codes, which reveal nothing about members. @throws Refusal `list.too-deep`. */
export async function roleOptionsPage(ctx: Context, query: Input<typeof roleOptions>['query']) {
  const filter = { search: query.search.normalize('NFKC'), applicationId: null, language: ctx.client.language }
  const page = await pageOfRoles(ctx.db, filter, { sort: 'code', descending: false }, query)
  return { ...page, records: page.records.map(({ id, code, name }) => ({ id, code, name })) }
}

/** @throws Refusal `role.not-found`. */
export async function getRole(ctx: Context, id: string) {
  const row = await findRole(ctx.db, id)
  if (!row) throw errors['role.not-found']()
  return toRoleDetails(row)
}

/** A role as in audit records. @throws Refusal `role.not-found`. */
export async function getRoleSnapshot(ctx: Context, id: string): Promise<RoleSnapshot & { version: number }> {
  const [row] = await listRoleSnapshots(ctx.db, [id])
  if (!row) throw errors['role.not-found']()
  const { id: _, ...snapshot } = row
  return snapshot
}

type RoleInput = z.output<typeof RoleFields>

/** With its search keys; computed before the transaction, to keep that short. */
async function prepareRoleRow(ctx: Context, fields: RoleInput) {
  const { code, name, names, description } = fields
  return { code, name, names, description, ...(await buildSearchKeys(name)), now: ctx.now() }
}

/** @throws Refusal `role.code-taken`. */
export async function createNewRole(ctx: Context, fields: RoleInput): Promise<{ id: string }> {
  const row = await prepareRoleRow(ctx, fields)
  return await transaction(ctx, async (inner) => ({ id: await insertNewRole(inner, row) }))
}

/** As `createNewRole`, in the caller's transaction. @returns its id. */
export const createRoleWithin = async (ctx: Context, fields: RoleInput): Promise<string> =>
  await insertNewRole(ctx, await prepareRoleRow(ctx, fields))

async function insertNewRole(ctx: Context, row: Awaited<ReturnType<typeof prepareRoleRow>>): Promise<string> {
  const id = v7()
  await requireFreeCode(ctx, row.code, null)
  if (!(await insertRole(ctx.db, id, row))) throw errors['role.code-taken']()
  const { version: _, ...after } = await getRoleSnapshot(ctx, id)
  await recordAudit(ctx, { action: 'role.create', targetKind: ROLE_TARGET_KIND, targetId: id, after })
  return id
}

async function requireFreeCode(ctx: Context, code: string, exceptId: string | null): Promise<void> {
  if (await isCodeTaken(ctx.db, code, exceptId)) throw errors['role.code-taken']({ data: { fields: ['code'] } })
}

/** Locks the role for the rest of the transaction. @throws Refusal `role.not-found`, `version.conflict`. */
async function lockRoleAtVersion(ctx: Context, id: string, version: number): Promise<RoleSnapshot> {
  if (!(await lockRole(ctx.db, id))) throw errors['role.not-found']()
  const { version: present, ...before } = await getRoleSnapshot(ctx, id)
  if (present !== version) throw platformErrors['version.conflict']({ data: { current: await getRole(ctx, id) } })
  return before
}

/** @throws Refusal `role.not-found`, `role.code-taken`, `version.conflict`. */
export async function changeRole(ctx: Context, id: string, { version, ...fields }: RoleInput & { version: number }) {
  const row = await prepareRoleRow(ctx, fields)
  return await transaction(ctx, async (inner) => {
    await writeRole(inner, id, version, row)
    return await getRole(inner, id)
  })
}

/** Renames a role in the caller's transaction. @throws as `changeRole`. */
export async function renameRoleWithin(ctx: Context, id: string, name: string): Promise<void> {
  const { version, code, names, description } = await getRoleSnapshot(ctx, id)
  await writeRole(ctx, id, version, await prepareRoleRow(ctx, { code, name, names, description }))
}

async function writeRole(
  ctx: Context,
  id: string,
  version: number,
  row: Awaited<ReturnType<typeof prepareRoleRow>>,
): Promise<void> {
  const before = await lockRoleAtVersion(ctx, id, version)
  await requireFreeCode(ctx, row.code, id)
  if (!(await updateRoleRow(ctx.db, id, row))) throw errors['role.code-taken']()
  const { version: _, ...after } = await getRoleSnapshot(ctx, id)
  await recordAudit(ctx, { action: 'role.update', targetKind: ROLE_TARGET_KIND, targetId: id, before, after })
}

const MAX_APPLICATIONS_NAMED = 20

/** What is deleted with the role. @throws Refusal `role.not-found`. */
export async function getRoleImpact(ctx: Context, id: string) {
  const role = await getRole(ctx, id)
  const applications = await listGrantedApplications(ctx.db, id, ctx.client.language, MAX_APPLICATIONS_NAMED)
  const reached = await countReached(ctx.db, { userIds: [], organizationIds: [], categoryIds: [], roleIds: [id] })
  return {
    people: role.people,
    organizations: role.organizations,
    categories: role.categories,
    applications: applications.map(({ name }) => name),
    applicationTotal: role.applications,
    reached: reached.total,
    reachedIsLowerBound: reached.totalIsLowerBound ?? false,
    version: role.version,
  }
}

/**
 * Memberships and grants are deleted with it; people who are inside an application only by it are logged out there. @throws as
 * `changeRole`.
 */
export async function removeRole(ctx: Context, id: string, version: number): Promise<void> {
  await transaction(ctx, (inner) => removeRoleWithin(inner, id, version))
}

/** As `removeRole`, in the caller's transaction. */
export async function removeRoleWithin(ctx: Context, id: string, version: number): Promise<void> {
  const snapshot = await lockRoleAtVersion(ctx, id, version)
  await refuseIfNamedByRules(ctx, 'who.roles', id)
  const { people } = await getRole(ctx, id)
  const applications = await listGrantedApplications(ctx.db, id, 'en', 10_000)
  const before = { ...snapshot, people, applications: applications.map(({ appId }) => appId) }
  await deleteRoleRow(ctx.db, id)
  await recordAudit(ctx, { action: 'role.delete', targetKind: ROLE_TARGET_KIND, targetId: id, before })
}

/** How a person got their roles. @throws Refusal `role.person-not-found`, also for a person out of the caller's scope. */
export async function personRolesPage(ctx: Context, query: Input<typeof rolesOfPerson>['query']) {
  const { userId, search } = query
  if (!(await isPersonVisible(ctx, userId))) throw errors['role.person-not-found']()
  const maySee = (id: SqlFragment) => inScope(ctx, id)
  const filter = { userId, search, language: ctx.client.language, maySee }
  return await pageOfPersonRoles(ctx.db, filter, query)
}
