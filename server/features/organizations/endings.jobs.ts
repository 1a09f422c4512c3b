import { z } from 'zod'
import { Id } from '#shared/contract/endpoint.ts'
import { EndingResult } from '#shared/contract/organization-endings.ts'
import { Refusal } from '../../platform/errors.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { refuseLockout } from '../access-rules/index.ts'
import { defineTask, type RunningTask } from '../background-tasks/index.ts'
import { visibleMemberCount } from './effects.service.ts'
import { ENDING_TASK_KINDS } from './endings.service.ts'
import { loadEndingSize } from './endings.store.ts'
import type { EndingHandler } from './endings.types.ts'
import { finishEnding, notEmptyRefusal } from './endings-finish.service.ts'
import { Ending, runNextStep } from './endings-steps.service.ts'
import { getVisibleOrganization } from './organizations.service.ts'
import { lockTree } from './organizations.store.ts'
import { displayName, getManageableOrganization } from './organizations-save.service.ts'
import { addMovedCounts, findEnding, type MovedCounts, updateEndingResult } from './running-endings.store.ts'

const STEP_SIZE = 500
/** How often somebody may be assigned to an organisation between its last step and its end. */
const MAX_ATTEMPTS = 5
const TaskInput = z.object({ organizationId: Id, ending: Ending })

/**
 * Ends an organisation with many people: they are moved in steps, and when nobody is left, everything else in one transaction. If stopped
 * or rejected halfway, it stays as it is: an organisation with fewer people.
 */
async function runEnding(ctx: Context, task: RunningTask, handlers: readonly EndingHandler[]): Promise<EndingResult> {
  const { organizationId: id, ending } = TaskInput.parse(task.input)
  const ended = (await findEnding(ctx.db, task.id))?.result
  // Interrupted between its end and the end of the task.
  if (ended) return EndingResult.parse(ended)
  let done = task.done
  for (let tries = 1; ; tries++) {
    done = await moveEverybody(ctx, task, { id, ending, done })
    if (task.cancelled()) return await cancelledResult(ctx, task.id, id)
    try {
      return await finishInTransaction(ctx, task, { id, ending, handlers })
    } catch (error) {
      const isEntered = error instanceof Refusal && error.code === 'organization.not-empty'
      if (!isEntered || tries === MAX_ATTEMPTS) throw error
    }
  }
}

type EndingWork = { id: string; ending: Ending }

/** Runs steps until nobody is left, or a stop is requested. @returns how many were moved, as far as visible to the owner */
async function moveEverybody(
  ctx: Context,
  task: RunningTask,
  { id, ending, done }: EndingWork & { done: number },
): Promise<number> {
  let moved = done
  while (!task.cancelled()) {
    const { rows, visibleRows } = await transaction(ctx, async (inner) => {
      const step = await runNextStep(inner, id, ending, STEP_SIZE)
      await addMovedCounts(inner.db, task.id, step)
      if (step.rows > 0) await task.progress(moved + step.visibleRows, inner.db)
      return step
    })
    if (rows === 0) return moved
    moved += visibleRows
  }
  return moved
}

/** @throws Refusal `organization.not-empty` if somebody was assigned to it since the last step. */
async function finishInTransaction(
  ctx: Context,
  task: RunningTask,
  { id, ending, handlers }: EndingWork & { handlers: readonly EndingHandler[] },
): Promise<EndingResult> {
  return await transaction(ctx, async (inner) => {
    await lockTree(inner.db)
    const row = await getManageableOrganization(inner, id)
    const ended = await finishEnding(inner, row, ending, { moved: await loadMovedCounts(inner, task.id), handlers })
    if (!ended) {
      const { members: _, ...rest } = await loadEndingSize(inner.db, id, (await visibleMemberCount(inner, id)).count)
      throw notEmptyRefusal(inner, row, rest)
    }
    await refuseLockout(inner)
    const into = ending.kind === 'merge' ? await organizationName(inner, ending.into) : null
    const result = { ...ended, id, name: displayName(inner, row), into, gone: true }
    await updateEndingResult(inner.db, task.id, result)
    await task.progress(task.total, inner.db)
    return result
  })
}

async function cancelledResult(ctx: Context, taskId: string, id: string): Promise<EndingResult> {
  const name = displayName(ctx, await getManageableOrganization(ctx, id))
  const { people, secondaryMembers } = await loadMovedCounts(ctx, taskId)
  return { people, secondaryMembers, children: 0, id, name, into: null, gone: false }
}

async function organizationName(ctx: Context, id: string) {
  return { id, name: displayName(ctx, await getVisibleOrganization(ctx, id)) }
}

async function loadMovedCounts(ctx: Context, taskId: string): Promise<MovedCounts> {
  const { people = 0, members = 0, secondaryMembers = 0 } = (await findEnding(ctx.db, taskId)) ?? {}
  return { people, members, secondaryMembers }
}

/** @param handlers as for `mountOrganizations` */
export const organizationTasks = (handlers: readonly EndingHandler[]) =>
  Object.values(ENDING_TASK_KINDS).map((kind) =>
    defineTask({ kind, run: (ctx, task) => runEnding(ctx, task, handlers) }),
  )
