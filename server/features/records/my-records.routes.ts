import {
  exportMyAccountMaintenance,
  exportMyAuthentications,
  exportMyPasswordMaintenance,
  exportMyVisits,
  listMyAccountMaintenance,
  listMyAuthentications,
  listMyPasswordMaintenance,
  listMyVisits,
} from '#shared/contract/records.ts'
import { type Api, REPLY_SENT } from '../../platform/http/mount.ts'
import type { PageQuery } from '../../platform/list.ts'
import type { Context } from '../../platform/platform.ts'
import { pageOfRecords } from './my-records.store.ts'
import { AUTHENTICATION_COLUMNS, MAINTENANCE_COLUMNS, VISIT_COLUMNS } from './my-records-columns.rules.ts'
import { sendExport } from './my-records-export.service.ts'
import { type RecordList, toAuthenticationsList, toMaintenanceList, toVisitsList } from './my-records-lists.service.ts'

/** What happened to a person's account, for that person only: each list with its export. */
export function mountMyRecords(api: Api): void {
  api.mount(listMyAuthentications, (ctx, { query }) => recordsPage(ctx, query, toAuthenticationsList(ctx, query)))
  api.mount(exportMyAuthentications, async (ctx, { query }, { reply }) => {
    const list = toAuthenticationsList(ctx, query)
    await sendExport(ctx, reply, { ...query, list, title: 'my-authentication.title', columns: AUTHENTICATION_COLUMNS })
    return REPLY_SENT
  })

  api.mount(listMyPasswordMaintenance, (ctx, { query }) =>
    recordsPage(ctx, query, toMaintenanceList(ctx, query, 'password')),
  )
  api.mount(exportMyPasswordMaintenance, async (ctx, { query }, { reply }) => {
    const list = toMaintenanceList(ctx, query, 'password')
    await sendExport(ctx, reply, { ...query, list, title: 'my-password.title', columns: MAINTENANCE_COLUMNS })
    return REPLY_SENT
  })

  api.mount(listMyAccountMaintenance, (ctx, { query }) =>
    recordsPage(ctx, query, toMaintenanceList(ctx, query, 'account')),
  )
  api.mount(exportMyAccountMaintenance, async (ctx, { query }, { reply }) => {
    const list = toMaintenanceList(ctx, query, 'account')
    await sendExport(ctx, reply, { ...query, list, title: 'my-maintenance.title', columns: MAINTENANCE_COLUMNS })
    return REPLY_SENT
  })

  api.mount(listMyVisits, (ctx, { query }) => recordsPage(ctx, query, toVisitsList(ctx, query)))
  api.mount(exportMyVisits, async (ctx, { query }, { reply }) => {
    const list = toVisitsList(ctx, query)
    await sendExport(ctx, reply, { ...query, list, title: 'my-visits.title', columns: VISIT_COLUMNS })
    return REPLY_SENT
  })
}

async function recordsPage<Row extends { id: string; at: Date }, Shown>(
  ctx: Context,
  query: PageQuery,
  { source, oldestFirst, shown }: RecordList<Row, Shown>,
) {
  const page = await pageOfRecords<Row>(ctx.db, source, { oldestFirst }, query)
  return { ...page, records: page.records.map(shown) }
}
