import { type Context, transaction } from '../../platform/platform.ts'
import { defineTask } from '../background-tasks/index.ts'
import { listPeopleIds } from '../people-list/index.ts'
import { applyWork, BATCH_TASK_KIND, type BatchTally, type BatchTaskInput } from './batch.service.ts'

const STEP_SIZE = 500
/** People named in a result. */
const MAX_REFUSALS_REPORTED = 1000

/**
 * The same change for more people than one request handles. It walks along their ids, so that people who no longer match the filters after
 * the change leave no gap; it is idempotent.
 */
export const batchChangeTask = defineTask({
  kind: BATCH_TASK_KIND,
  async run(ctx, task) {
    const input = task.input as BatchTaskInput
    const tally: BatchTally = { changed: 0, unchanged: 0, refusedCount: 0, refused: [], reversibleIds: [] }
    let after: string | null = null
    let done = 0
    while (!task.cancelled()) {
      const ids: string[] = await nextIds(ctx, input, after)
      if (ids.length === 0) break
      const step = await applyWork(ctx, ids, input.work, false)
      tally.changed += step.changed
      tally.unchanged += step.unchanged
      tally.refusedCount += step.refusedCount
      tally.refused.push(...step.refused.slice(0, Math.max(0, MAX_REFUSALS_REPORTED - tally.refused.length)))
      after = ids.at(-1) ?? null
      done += ids.length
      await task.progress(done)
    }
    return tally
  },
})

const MIN_UUID = '00000000-0000-0000-0000-000000000000'

function nextIds(ctx: Context, input: BatchTaskInput, after: string | null): string[] | Promise<string[]> {
  if ('ids' in input) return input.ids.filter((id) => id > (after ?? MIN_UUID)).slice(0, STEP_SIZE)
  return transaction(ctx, (inner) =>
    listPeopleIds(inner, input.filters, { limit: STEP_SIZE, after: after ?? MIN_UUID }),
  )
}
