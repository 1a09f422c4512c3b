import type { deleteOrganization, mergeOrganization } from '#shared/contract/organization-endings.ts'
import type { Input, Output } from '../../platform/http/mount.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { startTask } from '../background-tasks/index.ts'
import { visibleMemberCount } from './effects.service.ts'
import { loadEndingSize } from './endings.store.ts'
import type { EndingHandler } from './endings.types.ts'
import { checkEnding, finishEnding, notEmptyRefusal } from './endings-finish.service.ts'
import { type Ending, runNextStep } from './endings-steps.service.ts'
import { errors } from './organizations.errors.ts'
import { getDetails } from './organizations.service.ts'
import { lockTree } from './organizations.store.ts'
import { displayName, getOrganizationAtVersion } from './organizations-save.service.ts'
import { insertEnding, isReceiving } from './running-endings.store.ts'
import type { OrganizationRow } from './tree.store.ts'

/** Up to this many people and organisations are moved within the request; more in the background. */
const MAX_SYNC_MOVES = 1000
/** More steps are needed only if people are assigned to it again and again at the same moment. */
const MAX_STEPS = 10

/** Kinds of background tasks, each with the message `task.<kind>`. */
export const ENDING_TASK_KINDS = { merge: 'organization.merge', delete: 'organization.delete' } as const

/**
 * Merges an organisation into another one and deletes it: people, secondary members, children, grants, role memberships and appointments
 * are handed over.
 */
export async function merge(
  ctx: Context,
  id: string,
  { version, into }: Input<typeof mergeOrganization>['body'],
  handlers: readonly EndingHandler[],
): Promise<Output<typeof mergeOrganization>> {
  return await transaction(ctx, async (inner) => {
    const taskId = await startEnding(inner, id, version, { ending: { kind: 'merge', into }, handlers })
    return { ...(await getDetails(inner, into)), taskId }
  })
}

/** Deletes an organisation that is empty, or whose people and children get new places. Its grants and roles end with it. */
export async function remove(
  ctx: Context,
  id: string,
  { version, ...places }: Input<typeof deleteOrganization>['body'],
  handlers: readonly EndingHandler[],
): Promise<Output<typeof deleteOrganization>> {
  return await transaction(ctx, async (inner) => ({
    taskId: await startEnding(inner, id, version, { ending: { kind: 'delete', ...places }, handlers }),
  }))
}

/** Everything in the caller's transaction or, if that is too much, the beginning. @returns the task that continues */
async function startEnding(
  ctx: Context,
  id: string,
  version: number,
  { ending, handlers }: { ending: Ending; handlers: readonly EndingHandler[] },
): Promise<string | null> {
  // Checked at once: a step that moves people here holds the tree lock until it is done.
  await assertNotReceiving(ctx, await getOrganizationAtVersion(ctx, id, version))
  await lockTree(ctx.db)
  const row = await getOrganizationAtVersion(ctx, id, version)
  await assertNotReceiving(ctx, row)
  await checkEnding(ctx, row, ending)
  const { people, members, secondaryMembers, children } = await loadEndingSize(
    ctx.db,
    id,
    (await visibleMemberCount(ctx, id)).count,
  )
  if (people + members + children > MAX_SYNC_MOVES) {
    return await continueInBackground(ctx, row, ending, Math.max(1, people + secondaryMembers + children))
  }
  const moved = { people: 0, members: 0, secondaryMembers: 0 }
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    const step = await runNextStep(ctx, id, ending, MAX_SYNC_MOVES)
    moved.people += step.people
    moved.members += step.members
    moved.secondaryMembers += step.secondaryMembers
    if (step.rows === 0 && (await finishEnding(ctx, row, ending, { moved, handlers }))) return null
  }
  throw notEmptyRefusal(ctx, row, { people: 1, children: 0 })
}

/** @throws Refusal `organization.takes-over` while people or organisations of another, ending one are moved into it. */
async function assertNotReceiving(ctx: Context, row: OrganizationRow): Promise<void> {
  if (await isReceiving(ctx.db, row.id))
    throw errors['organization.takes-over']({ params: { name: displayName(ctx, row) } })
}

async function continueInBackground(
  ctx: Context,
  { id }: OrganizationRow,
  ending: Ending,
  total: number,
): Promise<string> {
  const { kind } = ending
  const taskId = await startTask(ctx, { kind: ENDING_TASK_KINDS[kind], input: { organizationId: id, ending }, total })
  const takers =
    kind === 'merge' ? [ending.into] : [ending.peopleTo, ending.childrenTo].filter((one) => one !== undefined)
  await insertEnding(ctx.db, { taskId, organizationId: id, kind, takers })
  return taskId
}
