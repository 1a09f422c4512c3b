import type { Context } from '../../platform/platform.ts'
import { listProtected } from '../directory-syncs/index.ts'
import { problemReason, saveUsers } from '../people-save/index.ts'
import { insertMembersWithAudit, removeMembersById } from '../roles/index.ts'
import { listMembers, lockMembers, type MemberState, type ScimGroup } from './groups.store.ts'
import { errors } from './scim-provisioning.errors.ts'
import { noteLeavers, notePeople, type Writer } from './writing.service.ts'

/** In the answer for a group, and when it is replaced as a whole. */
export const MAX_GROUP_MEMBERS = 1000

/** Changes of the members, in order. */
export type MemberStep = { verb: 'add' | 'remove' | 'replace'; ids: readonly string[] }

/**
 * Changes members by name. Members of an organisation are the people whose department it is: whoever has one already gets it as a secondary
 * one, and nobody loses the department itself. Super users and administrators are not changed.
 * @throws Refusal `scim.member-unknown`, `scim.protected`, `scim.too-many-members`, `scim.invalid-value`.
 */
export async function changeMembers(
  ctx: Context,
  writer: Writer,
  group: ScimGroup,
  steps: readonly MemberStep[],
): Promise<void> {
  for (const { verb, ids } of steps) {
    const memberIds = [...new Set(ids)]
    if (memberIds.length > MAX_GROUP_MEMBERS) throw tooMany()
    if (verb === 'add') await add(ctx, writer, group, memberIds)
    else if (verb === 'remove') await remove(ctx, writer, group, await refuseProtected(ctx, memberIds))
    else await replace(ctx, writer, group, memberIds)
  }
}

const tooMany = () => errors['scim.too-many-members']({ params: { most: MAX_GROUP_MEMBERS } })

/** A list without a super user does not mean to remove them. */
async function replace(ctx: Context, writer: Writer, group: ScimGroup, memberIds: readonly string[]): Promise<void> {
  const present = (await listMembers(ctx.db, [group.id], MAX_GROUP_MEMBERS)).map(({ id }) => id)
  if (present.length > MAX_GROUP_MEMBERS) throw tooMany()
  const gone = present.filter((id) => !memberIds.includes(id))
  const kept = await listProtected(ctx.db, gone)
  const added = memberIds.filter((id) => !present.includes(id))
  await remove(
    ctx,
    writer,
    group,
    gone.filter((id) => !kept.has(id)),
  )
  await add(ctx, writer, group, added)
}

async function refuseProtected(ctx: Context, ids: readonly string[]): Promise<readonly string[]> {
  if ((await listProtected(ctx.db, ids)).size > 0) throw errors['scim.protected']()
  return ids
}

async function add(ctx: Context, writer: Writer, group: ScimGroup, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const people = await lockMembers(ctx.db, ids)
  const known = new Set(people.map(({ id }) => id))
  const unknown = ids.find((id) => !known.has(id))
  if (unknown !== undefined) throw errors['scim.member-unknown']({ params: { id: unknown } })
  await refuseProtected(ctx, ids)
  if (group.kind === 'role') await insertMembersWithAudit(ctx, { id: group.id, kind: 'user', ids })
  else
    await saveDepartments(
      ctx,
      writer,
      people.flatMap((person) => toJoined(person, group.id)),
    )
}

async function remove(ctx: Context, writer: Writer, group: ScimGroup, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  if (group.kind === 'role') {
    const gone = await removeMembersById(ctx, { id: group.id, kind: 'user', ids })
    return noteLeavers(writer, gone)
  }
  const people = await lockMembers(ctx.db, ids)
  if (people.some(({ organizationId }) => organizationId === group.id))
    throw errors['scim.invalid-value']({
      params: { reason: ctx.translate(ctx.client.language, 'scim.department-stays') },
    })
  await saveDepartments(
    ctx,
    writer,
    people.flatMap((person) => toLeft(person, group.id)),
  )
}

type DepartmentChange = { id: string; organizationId?: string; secondaryOrganizationIds?: string[] }

function toJoined({ id, organizationId, secondaryIds }: MemberState, groupId: string): DepartmentChange[] {
  if (organizationId === null) return [{ id, organizationId: groupId }]
  if (organizationId === groupId || secondaryIds.includes(groupId)) return []
  return [{ id, secondaryOrganizationIds: [...secondaryIds, groupId] }]
}

const toLeft = ({ id, secondaryIds }: MemberState, groupId: string): DepartmentChange[] =>
  secondaryIds.includes(groupId)
    ? [{ id, secondaryOrganizationIds: secondaryIds.filter((one) => one !== groupId) }]
    : []

async function saveDepartments(ctx: Context, writer: Writer, changes: readonly DepartmentChange[]): Promise<void> {
  const outcomes = await saveUsers(
    ctx,
    changes.map((change) => ({ ...change, account: '' })),
    { mode: 'update', isSource: true, reason: writer.name },
  )
  notePeople(writer, outcomes)
  const refused = outcomes.find(({ status }) => status === 'refused')
  if (refused) throw errors['scim.invalid-value']({ params: { reason: problemReason(ctx, refused.problems) } })
}
