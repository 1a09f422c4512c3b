import type { z } from 'zod'
import type { addRoleMembers, listRoleMembers, RoleMemberKind, removeRoleMembers } from '#shared/contract/roles.ts'
import type { Input, Output } from '../../platform/http/mount.ts'
import { toIso } from '../../platform/iso-time.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { refuseLockout } from '../access-rules/index.ts'
import { startTask } from '../background-tasks/index.ts'
import { recordAudit, recordAudits } from '../records/index.ts'
import {
  countAllMembers,
  countMembers,
  deleteMembers,
  deleteUserRoles,
  insertMembers,
  insertUserRoles,
  listDirectRoles,
  listExistingSubjects,
  listMemberIds,
  type MemberFilter,
  type NamedSubject,
  type PersonRoles,
  pageOfMembers,
} from './members.store.ts'
import { errors } from './roles.errors.ts'
import { getRole, getRoleSnapshot, ROLE_TARGET_KIND } from './roles.service.ts'
import { bumpRoleVersion, listRoleSnapshots, lockRole } from './roles.store.ts'

/** The members of a role, one kind at a time. @throws Refusal `role.not-found`, `list.too-deep`. */
export async function membersPage(ctx: Context, query: Input<typeof listRoleMembers>['query']) {
  await getRole(ctx, query.id)
  const filter: MemberFilter = { roleId: query.id, kind: query.kind, search: query.search.normalize('NFKC') }
  const order = {
    sort: query.sort.endsWith('addedAt') ? 'addedAt' : 'code',
    descending: query.sort.startsWith('-'),
    language: ctx.client.language,
  } as const
  const page = await pageOfMembers(ctx.db, filter, order, query)
  return { ...page, records: page.records.map((row) => ({ ...row, addedAt: toIso(row.addedAt) })) }
}

type AddMembersResult = z.infer<typeof addRoleMembers.output>

/**
 * Unknown or deleted ones are reported; existing members are ignored.
 * @throws Refusal `role.not-found`; `policy.locks-out` if a rule rejects the role, and all super users would have it.
 */
export async function addMembers(ctx: Context, id: string, { kind, ids }: Input<typeof addRoleMembers>['body']) {
  return await transaction(ctx, async (inner): Promise<AddMembersResult> => {
    const wanted = [...new Set(ids)]
    const { known, joinedIds } = await insertMembersWithAudit(inner, { id, kind, ids: wanted })
    const knownIds = new Set(known.map((one) => one.id))
    const refused = wanted.filter((one) => !knownIds.has(one))
    return { changed: joinedIds.size, refused: refused.map((one) => ({ id: one, code: 'role.member-not-found' })) }
  })
}

type MemberSelection = { id: string; kind: RoleMemberKind; ids: readonly string[] }

/** Adds members in the caller's transaction. @returns which of them exist, and who was not a member before */
export async function insertMembersWithAudit(
  ctx: Context,
  { id, kind, ids }: MemberSelection,
): Promise<{ known: NamedSubject[]; joinedIds: Set<string> }> {
  if (!(await lockRole(ctx.db, id))) throw errors['role.not-found']()
  const before = await getRoleSnapshot(ctx, id)
  const known = await listExistingSubjects(ctx.db, kind, ids)
  const by = ctx.caller?.userId ?? null
  const added = await insertMembers(ctx.db, { roleId: id, kind, ids: known.map((one) => one.id), at: ctx.now(), by })
  const joined = added.map((one) => one.id)
  await recordMemberChange(ctx, { id, kind, ids: joined, before, action: 'role.join' })
  if (joined.length > 0) await refuseLockout(ctx)
  return { known, joinedIds: new Set(joined) }
}

type MemberChange = {
  id: string
  kind: RoleMemberKind
  ids: readonly string[]
  before: Awaited<ReturnType<typeof getRoleSnapshot>>
  action: 'role.join' | 'role.leave'
}

/** People get an audit record of their own; departments and categories are part of the role's state. */
export async function recordMemberChange(ctx: Context, { id, kind, ids, before, action }: MemberChange): Promise<void> {
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
  await bumpRoleVersion(ctx.db, id, ctx.now())
  const { version: _, ...former } = before
  const { version: __, ...after } = await getRoleSnapshot(ctx, id)
  await recordAudit(ctx, { action: 'role.update', targetKind: ROLE_TARGET_KIND, targetId: id, before: former, after })
}

/** Up to this many are removed within the request; more in the background. */
const MAX_SYNC_MEMBERS = 1000

/** Kind of the background task, with the message `task.<kind>`. */
export const REMOVE_MEMBERS_TASK = 'role.remove-members'

/**
 * Above 1,000 a task takes over, which continues with whatever the same search finds.
 * @throws Refusal `role.not-found`; `role.members-changed` if "all" is another number than the caller was shown; then nobody is removed.
 */
export async function removeMembers(
  ctx: Context,
  id: string,
  { kind, selection }: Input<typeof removeRoleMembers>['body'],
): Promise<Output<typeof removeRoleMembers>> {
  await getRole(ctx, id)
  const done = { refused: [], taskId: null }
  const remove = (ids: readonly string[]) => transaction(ctx, (inner) => removeMembersById(inner, { id, kind, ids }))
  if ('ids' in selection) return { ...done, changed: (await remove(selection.ids)).length }
  const filter: MemberFilter = { roleId: id, kind, search: selection.all.search.normalize('NFKC') }
  const { total } = await countMembers(ctx.db, filter)
  if (total !== selection.expected) throw errors['role.members-changed']()
  if (total > MAX_SYNC_MEMBERS) {
    const task = { kind: REMOVE_MEMBERS_TASK, input: filter, total: await countAllMembers(ctx.db, filter) }
    return { ...done, changed: 0, taskId: await transaction(ctx, (inner) => startTask(inner, task)) }
  }
  const ids = await listMemberIds(ctx.db, filter, { after: null, most: MAX_SYNC_MEMBERS })
  return { ...done, changed: (await remove(ids)).length }
}

/** In the caller's transaction. @returns those who were members. @throws Refusal `role.not-found`. */
export async function removeMembersById(ctx: Context, { id, kind, ids }: MemberSelection): Promise<string[]> {
  if (!(await lockRole(ctx.db, id))) throw errors['role.not-found']()
  const before = await getRoleSnapshot(ctx, id)
  const removed = (await deleteMembers(ctx.db, { roleId: id, kind, ids })).map((one) => one.id)
  await recordMemberChange(ctx, { id, kind, ids: removed, before, action: 'role.leave' })
  return removed
}

/**
 * Gives people exactly these roles by name, in the caller's transaction, with an audit record for every person changed.
 * @throws Refusal `policy.locks-out` as `addMembers`.
 * @returns those whose roles changed, with their former ones.
 */
export async function setDirectRoles(ctx: Context, rows: readonly PersonRoles[]): Promise<PersonRoles[]> {
  const present = await listDirectRoles(
    ctx.db,
    rows.map(({ userId }) => userId),
  )
  const former = new Map(present.map(({ userId, roleIds }) => [userId, roleIds]))
  const pairs = (wanted: (row: PersonRoles, had: readonly string[]) => string[]) =>
    rows.flatMap((row) => wanted(row, former.get(row.userId) ?? []).map((roleId) => ({ userId: row.userId, roleId })))
  const joined = pairs(({ roleIds }, had) => roleIds.filter((roleId) => !had.includes(roleId)))
  const left = pairs(({ roleIds }, had) => had.filter((roleId) => !roleIds.includes(roleId)))
  if (joined.length === 0 && left.length === 0) return []
  await deleteUserRoles(ctx.db, left)
  await insertUserRoles(ctx.db, joined, ctx.now(), ctx.caller?.userId ?? null)
  const roles = await listRoleSnapshots(ctx.db, [...new Set([...joined, ...left].map(({ roleId }) => roleId))])
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
  if (joined.length > 0) await refuseLockout(ctx)
  const changed = new Set([...joined, ...left].map(({ userId }) => userId))
  return [...changed].map((userId) => ({ userId, roleIds: former.get(userId) ?? [] }))
}
