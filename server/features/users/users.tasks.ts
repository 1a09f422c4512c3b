import { type Context, transaction } from '../../platform/platform.ts'
import { defineTask } from '../background-tasks/index.ts'
import { doTo, type ManyInput, TASK_KIND, type Tally } from './batch.service.ts'
import { foundPeople } from './people.service.ts'

const STEP = 500
/** What a result tells of each by name. */
const MOST_TOLD = 1000

/**
 * The same to more people than a request does at once. It goes along their ids, so that those whom the filters find no more once
 * they are done leave no gap; done twice, it finds them done.
 */
export const changeManyTask = defineTask({
  kind: TASK_KIND,
  async run(ctx, task) {
    const input = task.input as ManyInput
    const tally: Tally = { changed: 0, unchanged: 0, refusedCount: 0, refused: [], changedIds: [] }
    let after: string | null = null
    let done = 0
    while (!task.cancelled()) {
      const ids: string[] = await next(ctx, input, after)
      if (ids.length === 0) break
      const step = await doTo(ctx, ids, input.work, false)
      tally.changed += step.changed
      tally.unchanged += step.unchanged
      tally.refusedCount += step.refusedCount
      tally.refused.push(...step.refused.slice(0, Math.max(0, MOST_TOLD - tally.refused.length)))
      after = ids.at(-1) ?? null
      done += ids.length
      await task.progress(done)
    }
    return tally
  },
})

const NONE = '00000000-0000-0000-0000-000000000000'

function next(ctx: Context, input: ManyInput, after: string | null): string[] | Promise<string[]> {
  if ('ids' in input) return input.ids.filter((id) => id > (after ?? NONE)).slice(0, STEP)
  return transaction(ctx, (inner) => foundPeople(inner, input.filters, { most: STEP, after: after ?? NONE }))
}
