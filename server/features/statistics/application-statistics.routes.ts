import { queryApplicationStatistics } from '#shared/contract/application-statistics.ts'
import { defineErrors } from '../../platform/errors.ts'
import type { Api } from '../../platform/http/mount.ts'
import { institutionZone } from '../messages/index.ts'
import { daysOfApplication, isApplication } from './application-statistics.store.ts'

const errors = defineErrors({ 'application.not-found': 404 })

export function mountApplicationStatistics(api: Api): void {
  api.mount(queryApplicationStatistics, async (ctx, { query: { id, days } }) => {
    if (!(await isApplication(ctx.db, id))) throw errors['application.not-found']()
    const timeZone = await institutionZone(ctx)
    return { timeZone, days: [...(await daysOfApplication(ctx.db, id, { days, timeZone, now: ctx.now() }))] }
  })
}
