import { z } from 'zod'
import { Id } from '#shared/contract/endpoint.ts'
import { CurrentLoginFilters, KICK_OUT_TASK, type KickedOut } from '#shared/contract/sessions.ts'
import { transaction } from '../../platform/platform.ts'
import { requireSuperUser } from '../access/index.ts'
import { defineTask } from '../background-tasks/index.ts'
import { kickOutById, managedLoginFilter } from './current-logins.service.ts'
import { listSomeLoginIds } from './current-logins.store.ts'

const STEP_SIZE = 200
const TaskInput = z.object({ filters: CurrentLoginFilters, exceptId: z.union([Id, z.literal('')]) })

/** Ends the logins that the filters match until none is left. When stopped, the others go on. */
export const kickOutTask = defineTask({
  kind: KICK_OUT_TASK,
  async run(ctx, task): Promise<z.infer<typeof KickedOut>> {
    requireSuperUser(ctx)
    const { filters, exceptId } = TaskInput.parse(task.input)
    let ended = task.done
    while (!task.cancelled()) {
      const filter = { ...(await managedLoginFilter(ctx, filters)), exceptId: exceptId || null }
      const ids = await listSomeLoginIds(ctx.db, filter, STEP_SIZE)
      if (ids.length === 0) break
      ended = await transaction(ctx, async (inner) => {
        const step = await kickOutById(inner, ids)
        await task.progress(ended + step.ended, inner.db)
        return ended + step.ended
      })
    }
    return { ended }
  },
})
