import { type Context, transaction } from '../../platform/platform.ts'
import { requireSuperUser } from '../access/index.ts'
import { refuseLockout } from '../access-rules/index.ts'
import { recordMemberChange } from './members.service.ts'
import { deleteMembers, insertMembers, listMembershipStates, type MembershipState } from './members.store.ts'
import { errors } from './roles.errors.ts'
import { getRoleSnapshot } from './roles.service.ts'
import { lockRole } from './roles.store.ts'

export type RoleMembershipChange = { roleId: string; verb: 'join' | 'leave' }

/** The result for one person; `code` is the error code if it failed. */
type MembershipOutcome = {
  id: string
  account: string
  name: string
  status: 'changed' | 'unchanged' | 'refused'
  code: string | null
}

/**
 * Adds people to a role by name, or removes them, each judged separately and with an audit record of their own.
 * @throws Refusal `role.not-found`; `permission.denied` if the task's owner is no longer a super user; `policy.locks-out` as `addMembers`.
 */
export async function changeRoleMembership(
  ctx: Context,
  ids: readonly string[],
  { roleId, verb }: RoleMembershipChange,
  dryRun: boolean,
): Promise<MembershipOutcome[]> {
  requireSuperUser(ctx)
  return await transaction(ctx, async (inner) => {
    if (!(await lockRole(inner.db, roleId))) throw errors['role.not-found']()
    const found = new Map((await listMembershipStates(inner.db, roleId, ids)).map((one) => [one.id, one]))
    const outcomes = ids.map((id) => toOutcome(id, found.get(id), verb))
    const changing = outcomes.flatMap(({ id, status }) => (status === 'changed' ? [id] : []))
    if (!dryRun && changing.length > 0) await writeMembership(inner, roleId, verb, changing)
    return outcomes
  })
}

function toOutcome(
  id: string,
  found: MembershipState | undefined,
  verb: RoleMembershipChange['verb'],
): MembershipOutcome {
  if (!found) return { id, account: '', name: '', status: 'refused', code: 'user.not-found' }
  const { account, name, isDeleted, isMember, isReached } = found
  const outcome = (status: MembershipOutcome['status'], code: string | null = null) => ({
    id,
    account,
    name,
    status,
    code,
  })
  if (isDeleted) return outcome('refused', 'user.not-found')
  if (isMember !== (verb === 'join')) return outcome('changed')
  // Not "unchanged": they have it by a group, and keep it.
  return verb === 'leave' && isReached ? outcome('refused', 'role.held-by-group') : outcome('unchanged')
}

async function writeMembership(
  ctx: Context,
  roleId: string,
  verb: RoleMembershipChange['verb'],
  ids: readonly string[],
): Promise<void> {
  const before = await getRoleSnapshot(ctx, roleId)
  const members = { roleId, kind: 'user', ids } as const
  const changed =
    verb === 'join'
      ? await insertMembers(ctx.db, { ...members, at: ctx.now(), by: ctx.caller?.userId ?? null })
      : await deleteMembers(ctx.db, members)
  if (verb === 'join') await refuseLockout(ctx)
  const action = verb === 'join' ? 'role.join' : 'role.leave'
  await recordMemberChange(ctx, { id: roleId, kind: 'user', ids: changed.map(({ id }) => id), before, action })
}
