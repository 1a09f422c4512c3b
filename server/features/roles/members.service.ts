import type { z } from 'zod'
import type { addRoleMembers, listRoleMembers, RoleMemberKind, removeRoleMembers } from '#shared/contract/roles.ts'
import type { Input, Output } from '../../platform/http/mount.ts'
import { stretchOf } from '../../platform/list.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { startTask } from '../background-tasks/index.ts'
import { recordAudit, recordAudits } from '../records/index.ts'
import {
  countAllMembers,
  countMembers,
  deleteMembers,
  deletePairs,
  directRolesOf,
  existing,
  idsOfMembers,
  insertMembers,
  insertPairs,
  type MemberFilter,
  type Named,
  type PersonRoles,
  pageOfMembers,
} from './members.store.ts'
import { errors } from './roles.errors.ts'
import { readRole, snapshotOf, TARGET } from './roles.service.ts'
import { lockRole, snapshotsOf, touchRole } from './roles.store.ts'

/** The members of a role, one kind at a time. @throws Refusal `role.not-found`, `list.too-deep`. */
export async function membersPage(ctx: Context, query: Input<typeof listRoleMembers>['query']) {
  await readRole(ctx, query.id)
  const filter: MemberFilter = { roleId: query.id, kind: query.kind, search: query.search.normalize('NFKC') }
  const total = await countMembers(ctx.db, filter)
  const order = {
    sort: query.sort.endsWith('addedAt') ? 'addedAt' : 'code',
    descending: query.sort.startsWith('-'),
    language: ctx.client.language,
  } as const
  const rows = await pageOfMembers(ctx.db, filter, order, stretchOf(query, total))
  return { records: rows.map((row) => ({ ...row, addedAt: row.addedAt?.toISOString() ?? null })), ...total }
}

type Changed = z.infer<typeof addRoleMembers.output>

/** Who is unknown or deleted is told; who is a member already counts for nothing. @throws Refusal `role.not-found`. */
export async function addMembers(ctx: Context, id: string, { kind, ids }: Input<typeof addRoleMembers>['body']) {
  return await transaction(ctx, async (inner): Promise<Changed> => {
    const wanted = [...new Set(ids)]
    const { known, joinedIds } = await join(inner, { id, kind, ids: wanted })
    const knownIds = new Set(known.map((one) => one.id))
    const refused = wanted.filter((one) => !knownIds.has(one))
    return { changed: joinedIds.size, refused: refused.map((one) => ({ id: one, code: 'role.member-not-found' })) }
  })
}

type Some = { id: string; kind: RoleMemberKind; ids: readonly string[] }

/** Adds members in the caller's transaction. @returns which of them there are, and who was none before. */
async function join(ctx: Context, { id, kind, ids }: Some): Promise<{ known: Named[]; joinedIds: Set<string> }> {
  if (!(await lockRole(ctx.db, id))) throw errors['role.not-found']()
  const before = await snapshotOf(ctx, id)
  const known = await existing(ctx.db, kind, ids)
  const by = ctx.caller?.userId ?? null
  const added = await insertMembers(ctx.db, { roleId: id, kind, ids: known.map((one) => one.id), at: ctx.now(), by })
  const joined = added.map((one) => one.id)
  await noteMembers(ctx, { id, kind, ids: joined, before, action: 'role.join' })
  return { known, joinedIds: new Set(joined) }
}

type Noted = {
  id: string
  kind: RoleMemberKind
  ids: readonly string[]
  before: Awaited<ReturnType<typeof snapshotOf>>
  action: 'role.join' | 'role.leave'
}

/** People see a line of their own; departments and categories are part of what the role is. */
export async function noteMembers(ctx: Context, { id, kind, ids, before, action }: Noted): Promise<void> {
  if (ids.length === 0) return
  if (kind === 'user') {
    const role = { role: before.code }
    const sides = action === 'role.join' ? { before: null, after: role } : { before: role, after: null }
    await recordAudits(
      ctx,
      ids.map((userId) => ({ action, targetKind: 'role-member', targetId: id, userId, ...sides })),
    )
    return
  }
  await touchRole(ctx.db, id, ctx.now())
  const { version: _, ...former } = before
  const { version: __, ...after } = await snapshotOf(ctx, id)
  await recordAudit(ctx, { action: 'role.update', targetKind: TARGET, targetId: id, before: former, after })
}

/** So many are removed within the request; more in the background. */
const MOST_AT_ONCE = 1000

/** Kind of the background task, with the message `task.<kind>`. */
export const REMOVE_TASK = 'role.remove-members'

/**
 * Of more than 1,000 a task takes over, that goes on with whatever the same search finds.
 * @throws Refusal `role.not-found`; `role.members-changed` when "all" is another number than the person was shown, and then
 * nobody is removed.
 */
export async function removeMembers(
  ctx: Context,
  id: string,
  { kind, selection }: Input<typeof removeRoleMembers>['body'],
): Promise<Output<typeof removeRoleMembers>> {
  await readRole(ctx, id)
  const done = { refused: [], taskId: null }
  const remove = (ids: readonly string[]) => transaction(ctx, (inner) => removeSome(inner, { id, kind, ids }))
  if ('ids' in selection) return { ...done, changed: await remove(selection.ids) }
  const filter: MemberFilter = { roleId: id, kind, search: selection.all.search.normalize('NFKC') }
  const { total } = await countMembers(ctx.db, filter)
  if (total !== selection.expected) throw errors['role.members-changed']()
  if (total > MOST_AT_ONCE) {
    const task = { kind: REMOVE_TASK, input: filter, total: await countAllMembers(ctx.db, filter) }
    return { ...done, changed: 0, taskId: await transaction(ctx, (inner) => startTask(inner, task)) }
  }
  const ids = await idsOfMembers(ctx.db, filter, { after: null, most: MOST_AT_ONCE })
  return { ...done, changed: await remove(ids) }
}

/** In the caller's transaction. @returns how many were members. @throws Refusal `role.not-found`. */
export async function removeSome(ctx: Context, { id, kind, ids }: Some): Promise<number> {
  if (!(await lockRole(ctx.db, id))) throw errors['role.not-found']()
  const before = await snapshotOf(ctx, id)
  const removed = await deleteMembers(ctx.db, { roleId: id, kind, ids })
  await noteMembers(ctx, { id, kind, ids: removed.map((one) => one.id), before, action: 'role.leave' })
  return removed.length
}

/**
 * Gives people exactly these roles by name, in the caller's transaction, with a line for every change of a person's.
 * @returns those who had others, with what they had.
 */
export async function setRolesOfPeople(ctx: Context, rows: readonly PersonRoles[]): Promise<PersonRoles[]> {
  const present = await directRolesOf(
    ctx.db,
    rows.map(({ userId }) => userId),
  )
  const former = new Map(present.map(({ userId, roleIds }) => [userId, roleIds]))
  const pairs = (wanted: (row: PersonRoles, had: readonly string[]) => string[]) =>
    rows.flatMap((row) => wanted(row, former.get(row.userId) ?? []).map((roleId) => ({ userId: row.userId, roleId })))
  const joined = pairs(({ roleIds }, had) => roleIds.filter((roleId) => !had.includes(roleId)))
  const left = pairs(({ roleIds }, had) => had.filter((roleId) => !roleIds.includes(roleId)))
  if (joined.length === 0 && left.length === 0) return []
  await deletePairs(ctx.db, left)
  await insertPairs(ctx.db, joined, ctx.now(), ctx.caller?.userId ?? null)
  const roles = await snapshotsOf(ctx.db, [...new Set([...joined, ...left].map(({ roleId }) => roleId))])
  const codes = new Map(roles.map(({ id, code }) => [id, code]))
  const line = { targetKind: 'role-member' }
  await recordAudits(ctx, [
    ...joined.map(({ userId, roleId }) => ({
      ...line,
      action: 'role.join',
      targetId: roleId,
      userId,
      after: { role: codes.get(roleId) },
    })),
    ...left.map(({ userId, roleId }) => ({
      ...line,
      action: 'role.leave',
      targetId: roleId,
      userId,
      before: { role: codes.get(roleId) },
    })),
  ])
  const changed = new Set([...joined, ...left].map(({ userId }) => userId))
  return [...changed].map((userId) => ({ userId, roleIds: former.get(userId) ?? [] }))
}
