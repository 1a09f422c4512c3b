import { z } from 'zod'
import { Id } from '#shared/contract/endpoint.ts'
import { RoleMemberKind } from '#shared/contract/roles.ts'
import { transaction } from '../../platform/platform.ts'
import { requireSuperUser } from '../access/index.ts'
import { defineTask } from '../background-tasks/index.ts'
import { REMOVE_MEMBERS_TASK, removeMembersById } from './members.service.ts'
import { listMemberIds } from './members.store.ts'

const STEP_SIZE = 1000
const TaskInput = z.object({ roleId: Id, kind: RoleMemberKind, search: z.string() })

/** Removes many members from a role, in id order. If stopped, some are removed; those who join meanwhile may stay. */
export const removeMembersTask = defineTask({
  kind: REMOVE_MEMBERS_TASK,
  async run(ctx, task) {
    requireSuperUser(ctx)
    const filter = TaskInput.parse(task.input)
    // In each step with its marks: when interrupted, it continues with those who are still members.
    let changed = task.done
    for (let after: string | null = null; !task.cancelled(); ) {
      const ids: string[] = await listMemberIds(ctx.db, filter, { after, most: STEP_SIZE })
      after = ids.at(-1) ?? null
      if (after === null) break
      changed = await transaction(ctx, async (inner) => {
        const { length: removed } = await removeMembersById(inner, { id: filter.roleId, kind: filter.kind, ids })
        await task.progress(changed + removed, inner.db)
        return changed + removed
      })
    }
    return { changed }
  },
})
