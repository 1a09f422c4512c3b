import type { deleteOrganization, mergeOrganization } from '#shared/contract/organization-endings.ts'
import type { Input, Output } from '../../platform/http/mount.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { startTask } from '../background-tasks/index.ts'
import { checkedEffects, finish, notEmpty } from './endings.finish.ts'
import { type Ending, nextStep } from './endings.steps.ts'
import { sizeOf } from './endings.store.ts'
import { changeable, nameFor } from './organizations.changes.ts'
import { membersCounted } from './organizations.effects.ts'
import { errors } from './organizations.errors.ts'
import { detailsOf } from './organizations.service.ts'
import { lockTree } from './organizations.store.ts'
import { noteEnding, takesOver } from './running-endings.store.ts'
import type { DetailsRow } from './tree.store.ts'

/** So many people and organisations are moved within the request; more in the background. */
const MOST_AT_ONCE = 1000
/** More than that takes only who is put into it at the same moment, again and again. */
const MOST_STEPS = 10

/** Kinds of background tasks, each with the message `task.<kind>`. */
export const TASK_KINDS = { merge: 'organization.merge', delete: 'organization.delete' } as const

/**
 * Merges an organisation into another one and deletes it: people, those who belong to it beside, children, grants, role
 * memberships and administrators go over.
 */
export async function merge(
  ctx: Context,
  id: string,
  { version, into }: Input<typeof mergeOrganization>['body'],
): Promise<Output<typeof mergeOrganization>> {
  return await transaction(ctx, async (inner) => {
    const taskId = await end(inner, id, version, { kind: 'merge', into })
    return { ...(await detailsOf(inner, into)), taskId }
  })
}

/** Deletes an organisation that is empty, or whose people and children have a place to go. Its grants and roles end with it. */
export async function remove(
  ctx: Context,
  id: string,
  { version, ...places }: Input<typeof deleteOrganization>['body'],
): Promise<Output<typeof deleteOrganization>> {
  return await transaction(ctx, async (inner) => ({
    taskId: await end(inner, id, version, { kind: 'delete', ...places }),
  }))
}

/** All of it in the caller's transaction, or when it is too much, its beginning. @returns the task that goes on with it. */
async function end(ctx: Context, id: string, version: number, ending: Ending): Promise<string | null> {
  await lockTree(ctx.db)
  const row = await changeable(ctx, id, version)
  if (await takesOver(ctx.db, id)) throw errors['organization.takes-over']({ params: { name: nameFor(ctx, row) } })
  await checkedEffects(ctx, row, ending)
  const { people, members, secondaryMembers, children } = await sizeOf(
    ctx.db,
    id,
    (await membersCounted(ctx, id)).count,
  )
  if (people + members + children > MOST_AT_ONCE) {
    return await goOn(ctx, row, ending, Math.max(1, people + secondaryMembers + children))
  }
  const moved = { people: 0, members: 0, secondaryMembers: 0 }
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    const step = await nextStep(ctx, id, ending, MOST_AT_ONCE)
    moved.people += step.people
    moved.members += step.members
    moved.secondaryMembers += step.secondaryMembers
    if (step.rows === 0 && (await finish(ctx, row, ending, moved))) return null
  }
  throw notEmpty(ctx, row, { people: 1, children: 0 })
}

async function goOn(ctx: Context, { id }: DetailsRow, ending: Ending, total: number): Promise<string> {
  const { kind } = ending
  const taskId = await startTask(ctx, { kind: TASK_KINDS[kind], input: { organizationId: id, ending }, total })
  const takers =
    kind === 'merge' ? [ending.into] : [ending.peopleTo, ending.childrenTo].filter((one) => one !== undefined)
  await noteEnding(ctx.db, { taskId, organizationId: id, kind, takers })
  return taskId
}
