import type { UserFilters } from '#shared/contract/users.ts'
import { transaction } from '../../platform/platform.ts'
import { defineTask } from '../background-tasks/index.ts'
import { doTo, TASK_KIND, type Tally, type Work } from './batch.service.ts'
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
    const { filters, work } = task.input as { filters: UserFilters; work: Work }
    const tally: Tally = { changed: 0, unchanged: 0, refusedCount: 0, refused: [], changedIds: [] }
    let after: string | null = null
    let done = 0
    while (!task.cancelled()) {
      const ids: string[] = await transaction(ctx, (inner) =>
        foundPeople(inner, filters, { most: STEP, after: after ?? NONE }),
      )
      if (ids.length === 0) break
      const step = await doTo(ctx, ids, work, false)
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
