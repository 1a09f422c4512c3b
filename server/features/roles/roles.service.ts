import type { PendingQuery, Row } from 'postgres'
import { v7 } from 'uuid'
import type { z } from 'zod'
import type { listRoles, RoleFields, roleOptions, rolesOfPerson } from '#shared/contract/roles.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import type { Input } from '../../platform/http/mount.ts'
import { stretchOf } from '../../platform/list.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { inScope } from '../administrators/index.ts'
import { searchFormsOf } from '../name-search/index.ts'
import { recordAudit } from '../records/index.ts'
import { countReached } from './reach.store.ts'
import { grantedTo, isPersonInScope } from './role-reach.store.ts'
import { errors } from './roles.errors.ts'
import {
  countRoles,
  countWays,
  deleteRoleRow,
  findRole,
  insertRole,
  isCodeTaken,
  lockRole,
  pageOfRoles,
  pageOfWays,
  ROLE_SORTS,
  type RoleDetailsRow,
  type RoleRow,
  type RoleSnapshot,
  snapshotsOf,
  updateRoleRow,
} from './roles.store.ts'

export const TARGET = 'role'

const shown = ({ updatedAt, ...row }: RoleRow) => ({ ...row, updatedAt: updatedAt?.toISOString() ?? null })

const detailed = ({ createdAt, ...row }: RoleDetailsRow) => ({
  ...shown(row),
  names: row.names,
  createdAt: createdAt?.toISOString() ?? null,
})

/** @throws Refusal `list.too-deep`. */
export async function rolesPage(ctx: Context, query: Input<typeof listRoles>['query']) {
  const { language } = ctx.client
  const filter = { search: query.search.normalize('NFKC'), applicationId: query.applicationId ?? null, language }
  const sort = ROLE_SORTS.find((name) => query.sort.endsWith(name)) ?? 'code'
  const total = await countRoles(ctx.db, filter)
  const order = { sort, descending: query.sort.startsWith('-') }
  const rows = await pageOfRoles(ctx.db, filter, order, stretchOf(query, total))
  return { records: rows.map(shown), ...total }
}

/** To choose from: names and codes, which tell nothing of who has them. @throws Refusal `list.too-deep`. */
export async function optionsPage(ctx: Context, query: Input<typeof roleOptions>['query']) {
  const filter = { search: query.search.normalize('NFKC'), applicationId: null, language: ctx.client.language }
  const total = await countRoles(ctx.db, filter)
  const rows = await pageOfRoles(ctx.db, filter, { sort: 'code', descending: false }, stretchOf(query, total))
  return { records: rows.map(({ id, code, name }) => ({ id, code, name })), ...total }
}

/** @throws Refusal `role.not-found`. */
export async function readRole(ctx: Context, id: string) {
  const row = await findRole(ctx.db, id)
  if (!row) throw errors['role.not-found']()
  return detailed(row)
}

/** A role as the audit records hold it. @throws Refusal `role.not-found`. */
export async function snapshotOf(ctx: Context, id: string): Promise<RoleSnapshot & { version: number }> {
  const [row] = await snapshotsOf(ctx.db, [id])
  if (!row) throw errors['role.not-found']()
  const { id: _, ...snapshot } = row
  return snapshot
}

type Fields = z.output<typeof RoleFields>

/** With how it is found; worked out before the transaction, which it would only hold up. */
async function writable(ctx: Context, fields: Fields) {
  const { code, name, names, description } = fields
  return { code, name, names, description, ...(await searchFormsOf(name)), now: ctx.now() }
}

/** @throws Refusal `role.code-taken`. */
export async function makeRole(ctx: Context, fields: Fields): Promise<{ id: string }> {
  const row = await writable(ctx, fields)
  const id = v7()
  await transaction(ctx, async (inner) => {
    await refuseTakenCode(inner, row.code, null)
    if (!(await insertRole(inner.db, id, row))) throw errors['role.code-taken']()
    const { version: _, ...after } = await snapshotOf(inner, id)
    await recordAudit(inner, { action: 'role.create', targetKind: TARGET, targetId: id, after })
  })
  return { id }
}

async function refuseTakenCode(ctx: Context, code: string, exceptId: string | null): Promise<void> {
  if (await isCodeTaken(ctx.db, code, exceptId)) throw errors['role.code-taken']({ data: { fields: ['code'] } })
}

/** Holds the role for the rest of the transaction. @throws Refusal `role.not-found`, `version.conflict`. */
async function heldRole(ctx: Context, id: string, version: number): Promise<RoleSnapshot> {
  if (!(await lockRole(ctx.db, id))) throw errors['role.not-found']()
  const { version: present, ...before } = await snapshotOf(ctx, id)
  if (present !== version) throw platformErrors['version.conflict']({ data: { current: await readRole(ctx, id) } })
  return before
}

/** @throws Refusal `role.not-found`, `role.code-taken`, `version.conflict`. */
export async function changeRole(ctx: Context, id: string, { version, ...fields }: Fields & { version: number }) {
  const row = await writable(ctx, fields)
  return await transaction(ctx, async (inner) => {
    const before = await heldRole(inner, id, version)
    await refuseTakenCode(inner, row.code, id)
    if (!(await updateRoleRow(inner.db, id, row))) throw errors['role.code-taken']()
    const { version: _, ...after } = await snapshotOf(inner, id)
    await recordAudit(inner, { action: 'role.update', targetKind: TARGET, targetId: id, before, after })
    return await readRole(inner, id)
  })
}

const FIRST_APPLICATIONS = 20

/** What goes when the role goes. @throws Refusal `role.not-found`. */
export async function impactOfRole(ctx: Context, id: string) {
  const role = await readRole(ctx, id)
  const applications = await grantedTo(ctx.db, id, ctx.client.language, FIRST_APPLICATIONS)
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

/** Memberships and grants go with it; who is inside an application by it alone is logged out there. @throws as `changeRole`. */
export async function removeRole(ctx: Context, id: string, version: number): Promise<void> {
  await transaction(ctx, async (inner) => {
    const snapshot = await heldRole(inner, id, version)
    const { people } = await readRole(inner, id)
    const applications = await grantedTo(inner.db, id, 'en', 10_000)
    const before = { ...snapshot, people, applications: applications.map(({ appId }) => appId) }
    await deleteRoleRow(inner.db, id)
    await recordAudit(inner, { action: 'role.delete', targetKind: TARGET, targetId: id, before })
  })
}

/** How a person came to their roles. @throws Refusal `role.person-not-found`, also for somebody out of the caller's scope. */
export async function rolesPageOfPerson(ctx: Context, query: Input<typeof rolesOfPerson>['query']) {
  const { userId, search } = query
  if (!(await isPersonInScope(ctx.db, userId, inScope(ctx, ctx.db`u.organization_id`))))
    throw errors['role.person-not-found']()
  const maySee = (id: PendingQuery<Row[]>) => inScope(ctx, id)
  const asked = { userId, search, language: ctx.client.language, maySee }
  const total = await countWays(ctx.db, asked)
  const rows = await pageOfWays(ctx.db, asked, stretchOf(query, total))
  return { records: rows, ...total }
}
