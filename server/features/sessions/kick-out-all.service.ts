import { KICK_OUT_TASK, type kickOutAll } from '#shared/contract/sessions.ts'
import type { Input } from '../../platform/http/mount.ts'
import { type Context, callerOf, transaction } from '../../platform/platform.ts'
import { getTask, startTask } from '../background-tasks/index.ts'
import { recordAudit } from '../records/index.ts'
import { listDeliveries } from '../single-logout/index.ts'
import { managedLoginFilter } from './current-logins.service.ts'
import { countAllLogins } from './current-logins.store.ts'
import { listEndedByTask } from './kick-out-all.store.ts'

/** Logins come and go: the task ends what the filters match while it runs, but never the login behind this request. */
export async function startKickOut(
  ctx: Context,
  { filters }: Input<typeof kickOutAll>['body'],
): Promise<{ taskId: string }> {
  const { ssoSessionId } = callerOf(ctx)
  const found = { ...(await managedLoginFilter(ctx, filters)), exceptId: ssoSessionId }
  const task = {
    kind: KICK_OUT_TASK,
    input: { filters, exceptId: ssoSessionId },
    total: await countAllLogins(ctx.db, found),
  }
  const taskId = await transaction(ctx, async (inner) => {
    const id = await startTask(inner, task)
    const after = { filters, logins: task.total }
    await recordAudit(inner, { action: 'session.kick-out-all', targetKind: 'task', targetId: id, after })
    return id
  })
  return { taskId }
}

/** Delivery of the logout messages for the logins that a task ended. @throws Refusal `task.not-found`. */
export async function deliveriesOfTask(ctx: Context, taskId: string) {
  await getTask(ctx, taskId)
  return await listDeliveries(ctx, { ids: await listEndedByTask(ctx.db, taskId) })
}
