import { errors as platformErrors } from '../../platform/errors.ts'
import { type Context, callerOf, transaction } from '../../platform/platform.ts'
import { noteMembers } from './members.service.ts'
import { deleteMembers, insertMembers, type Standing, standingsTowards } from './members.store.ts'
import { errors } from './roles.errors.ts'
import { snapshotOf } from './roles.service.ts'
import { lockRole } from './roles.store.ts'

export type RoleChange = { roleId: string; verb: 'join' | 'leave' }

/** What became of one person; `code` is an error code of who was refused. */
type Outcome = {
  id: string
  account: string
  name: string
  status: 'changed' | 'unchanged' | 'refused'
  code: string | null
}

/**
 * Gives a role to people by name, or takes it from them, each judged by themselves and with a line of their own.
 * @throws Refusal `role.not-found`; `permission.denied` to who was a super user when a task began.
 */
export async function changeRoleOfPeople(
  ctx: Context,
  ids: readonly string[],
  { roleId, verb }: RoleChange,
  dryRun: boolean,
): Promise<Outcome[]> {
  if (!callerOf(ctx).isSuperUser) throw platformErrors['permission.denied']()
  return await transaction(ctx, async (inner) => {
    if (!(await lockRole(inner.db, roleId))) throw errors['role.not-found']()
    const found = new Map((await standingsTowards(inner.db, roleId, ids)).map((one) => [one.id, one]))
    const outcomes = ids.map((id) => outcomeOf(id, found.get(id), verb))
    const changing = outcomes.flatMap(({ id, status }) => (status === 'changed' ? [id] : []))
    if (!dryRun && changing.length > 0) await write(inner, roleId, verb, changing)
    return outcomes
  })
}

function outcomeOf(id: string, found: Standing | undefined, verb: RoleChange['verb']): Outcome {
  if (!found) return { id, account: '', name: '', status: 'refused', code: 'user.not-found' }
  const { account, name, isDeleted, isMember, isReached } = found
  const told = (status: Outcome['status'], code: string | null = null) => ({ id, account, name, status, code })
  if (isDeleted) return told('refused', 'user.not-found')
  if (isMember !== (verb === 'join')) return told('changed')
  // Not "already so": they have it, and keep it.
  return verb === 'leave' && isReached ? told('refused', 'role.held-by-group') : told('unchanged')
}

async function write(ctx: Context, roleId: string, verb: RoleChange['verb'], ids: readonly string[]): Promise<void> {
  const before = await snapshotOf(ctx, roleId)
  const members = { roleId, kind: 'user', ids } as const
  const changed =
    verb === 'join'
      ? await insertMembers(ctx.db, { ...members, at: ctx.now(), by: ctx.caller?.userId ?? null })
      : await deleteMembers(ctx.db, members)
  const action = verb === 'join' ? 'role.join' : 'role.leave'
  await noteMembers(ctx, { id: roleId, kind: 'user', ids: changed.map(({ id }) => id), before, action })
}
