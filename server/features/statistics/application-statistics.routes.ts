import { queryApplicationStatistics } from '#shared/contract/application-statistics.ts'
import { defineErrors } from '../../platform/errors.ts'
import type { Api } from '../../platform/http/mount.ts'
import { loadInstitutionZone } from '../messages/index.ts'
import { applicationExists, listApplicationDays } from './application-statistics.store.ts'

const errors = defineErrors({ 'application.not-found': 404 })

export function mountApplicationStatistics(api: Api): void {
  api.mount(queryApplicationStatistics, async (ctx, { query: { id, days } }) => {
    if (!(await applicationExists(ctx.db, id))) throw errors['application.not-found']()
    const timeZone = await loadInstitutionZone(ctx)
    return { timeZone, days: [...(await listApplicationDays(ctx.db, id, { days, timeZone, now: ctx.now() }))] }
  })
}
