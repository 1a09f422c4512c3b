import type { ApiCall, listApiCalls } from '#shared/contract/api-manage.ts'
import { DAY_MS } from '#shared/rules/durations.ts'
import type { Input } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { errors } from './api-registry.errors.ts'
import { type CallFilter, pageOfCalls } from './calls.store.ts'
import type { Catalogue } from './interfaces.service.ts'
import { findApplication } from './interfaces.store.ts'

/** Unless a period is given: earlier months need not be read. */
const DEFAULT_PERIOD_MS = 31 * DAY_MS

/** The calls of an application. @throws Refusal `list.too-deep`. */
export async function apiCallsPage(ctx: Context, catalogue: Catalogue, query: Input<typeof listApiCalls>['query']) {
  if (!(await findApplication(ctx.db, query.id))) throw errors['application.not-found']()
  const filter: CallFilter = {
    applicationId: query.id,
    apiId: query.apiId ?? null,
    result: query.result ?? null,
    from: query.from ? new Date(query.from) : new Date(ctx.now().getTime() - DEFAULT_PERIOD_MS),
    to: query.to ? new Date(query.to) : null,
  }
  const { records: rows, ...total } = await pageOfCalls(ctx.db, filter, query.sort === 'at', query)
  const records = rows.map(
    ({ at, ...call }): ApiCall => ({
      ...call,
      at: at.toISOString(),
      apiComment: catalogue.get(call.apiId)?.apiComment ?? call.apiId,
      reason: call.code && ctx.translate(ctx.client.language, `errors.${call.code}`),
    }),
  )
  return { records, ...total }
}
