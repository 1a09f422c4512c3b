import { z } from 'zod'
import { Id } from '#shared/contract/endpoint.ts'
import { EndingResult } from '#shared/contract/organization-endings.ts'
import { Refusal } from '../../platform/errors.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { defineTask, type RunningTask } from '../background-tasks/index.ts'
import { finish, notEmpty } from './endings.finish.ts'
import { Ending, nextStep } from './endings.steps.ts'
import { sizeOf } from './endings.store.ts'
import { nameFor, ownOrganization } from './organizations.changes.ts'
import { membersCounted } from './organizations.effects.ts'
import { TASK_KINDS } from './organizations.endings.ts'
import { seenOrganization } from './organizations.service.ts'
import { lockTree } from './organizations.store.ts'
import { addMoved, findEnding, type Moved, saveResult } from './running-endings.store.ts'

const STEP = 500
/** How often somebody may be put into an organisation between its last step and its end. */
const TRIES = 5
const Input = z.object({ organizationId: Id, ending: Ending })

/**
 * Ends an organisation that many belong to: its people go over in steps, and when nobody is left, all the rest in one
 * transaction. Stopped or refused halfway, it stays as it is by then: an organisation with fewer people.
 */
async function run(ctx: Context, task: RunningTask): Promise<EndingResult> {
  const { organizationId: id, ending } = Input.parse(task.input)
  const ended = (await findEnding(ctx.db, task.id))?.result
  // Cut off between its end and the end of the task.
  if (ended) return EndingResult.parse(ended)
  let done = task.done
  for (let tries = 1; ; tries++) {
    done = await emptied(ctx, task, { id, ending, done })
    if (task.cancelled()) return await stopped(ctx, task.id, id)
    try {
      return await last(ctx, task, { id, ending })
    } catch (error) {
      const isEntered = error instanceof Refusal && error.code === 'organization.not-empty'
      if (!isEntered || tries === TRIES) throw error
    }
  }
}

type Work = { id: string; ending: Ending }

/** Steps until nobody is left, or somebody asks to stop. @returns how many have been moved, as far as the owner may know. */
async function emptied(
  ctx: Context,
  task: RunningTask,
  { id, ending, done }: Work & { done: number },
): Promise<number> {
  let moved = done
  while (!task.cancelled()) {
    const { rows, told } = await transaction(ctx, async (inner) => {
      const step = await nextStep(inner, id, ending, STEP)
      await addMoved(inner.db, task.id, step)
      if (step.rows > 0) await task.progress(moved + step.told, inner.db)
      return step
    })
    if (rows === 0) return moved
    moved += told
  }
  return moved
}

/** @throws Refusal `organization.not-empty` when somebody has been put into it since the last step. */
async function last(ctx: Context, task: RunningTask, { id, ending }: Work): Promise<EndingResult> {
  return await transaction(ctx, async (inner) => {
    await lockTree(inner.db)
    const row = await ownOrganization(inner, id)
    const ended = await finish(inner, row, ending, await movedBy(inner, task.id))
    if (!ended) {
      const { members: _, ...rest } = await sizeOf(inner.db, id, (await membersCounted(inner, id)).count)
      throw notEmpty(inner, row, rest)
    }
    const into = ending.kind === 'merge' ? await nameOf(inner, ending.into) : null
    const result = { ...ended, id, name: nameFor(inner, row), into, gone: true }
    await saveResult(inner.db, task.id, result)
    await task.progress(task.total, inner.db)
    return result
  })
}

async function stopped(ctx: Context, taskId: string, id: string): Promise<EndingResult> {
  const name = nameFor(ctx, await ownOrganization(ctx, id))
  const { people, secondaryMembers } = await movedBy(ctx, taskId)
  return { people, secondaryMembers, children: 0, id, name, into: null, gone: false }
}

async function nameOf(ctx: Context, id: string) {
  return { id, name: nameFor(ctx, await seenOrganization(ctx, id)) }
}

async function movedBy(ctx: Context, taskId: string): Promise<Moved> {
  const { people = 0, members = 0, secondaryMembers = 0 } = (await findEnding(ctx.db, taskId)) ?? {}
  return { people, members, secondaryMembers }
}

export const organizationTasks = Object.values(TASK_KINDS).map((kind) => defineTask({ kind, run }))
