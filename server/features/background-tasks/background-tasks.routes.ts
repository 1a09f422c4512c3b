import { cancelTask, listTasks, taskDetails } from '#shared/contract/background-tasks.ts'
import type { Api } from '../../platform/http/mount.ts'
import { cancel, readTask, tasksPage } from './background-tasks.service.ts'

export function mountBackgroundTasks(api: Api): void {
  api.mount(listTasks, (ctx, { query }) => tasksPage(ctx, query))
  api.mount(taskDetails, (ctx, { query }) => readTask(ctx, query.id))
  api.mount(cancelTask, async (ctx, { query }) => {
    await cancel(ctx, query.id)
    return null
  })
}
