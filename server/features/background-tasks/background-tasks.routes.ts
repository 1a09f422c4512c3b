import { cancelTask, listTasks, taskDetails } from '#shared/contract/background-tasks.ts'
import type { Api } from '../../platform/http/mount.ts'
import { cancelBackgroundTask, getTask, tasksPage } from './background-tasks.service.ts'

export function mountBackgroundTasks(api: Api): void {
  api.mount(listTasks, (ctx, { query }) => tasksPage(ctx, query))
  api.mount(taskDetails, (ctx, { query }) => getTask(ctx, query.id))
  api.mount(cancelTask, async (ctx, { query }) => {
    await cancelBackgroundTask(ctx, query.id)
    return null
  })
}
