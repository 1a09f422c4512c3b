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
import { ANSWERED, type Api } from '../../platform/http/mount.ts'
import { stretchOf } from '../../platform/list.ts'
import type { Context } from '../../platform/platform.ts'
import { AUTHENTICATION_COLUMNS, MAINTENANCE_COLUMNS, VISIT_COLUMNS } from './my-records.columns.ts'
import { sendExport } from './my-records.export.ts'
import { authenticationsOf, maintenanceOf, type RecordList, visitsOf } from './my-records.lists.ts'
import { countRecords, pageOfRecords } from './my-records.store.ts'

/** What happened to a person's account, for that person alone: each list with its export. */
export function mountMyRecords(api: Api): void {
  api.mount(listMyAuthentications, (ctx, { query }) => pageOf(ctx, query, authenticationsOf(ctx, query)))
  api.mount(exportMyAuthentications, async (ctx, { query }, { reply }) => {
    const list = authenticationsOf(ctx, query)
    await sendExport(ctx, reply, { ...query, list, title: 'my-authentication.title', columns: AUTHENTICATION_COLUMNS })
    return ANSWERED
  })

  api.mount(listMyPasswordMaintenance, (ctx, { query }) => pageOf(ctx, query, maintenanceOf(ctx, query, 'password')))
  api.mount(exportMyPasswordMaintenance, async (ctx, { query }, { reply }) => {
    const list = maintenanceOf(ctx, query, 'password')
    await sendExport(ctx, reply, { ...query, list, title: 'my-password.title', columns: MAINTENANCE_COLUMNS })
    return ANSWERED
  })

  api.mount(listMyAccountMaintenance, (ctx, { query }) => pageOf(ctx, query, maintenanceOf(ctx, query, 'account')))
  api.mount(exportMyAccountMaintenance, async (ctx, { query }, { reply }) => {
    const list = maintenanceOf(ctx, query, 'account')
    await sendExport(ctx, reply, { ...query, list, title: 'my-maintenance.title', columns: MAINTENANCE_COLUMNS })
    return ANSWERED
  })

  api.mount(listMyVisits, (ctx, { query }) => pageOf(ctx, query, visitsOf(ctx, query)))
  api.mount(exportMyVisits, async (ctx, { query }, { reply }) => {
    const list = visitsOf(ctx, query)
    await sendExport(ctx, reply, { ...query, list, title: 'my-visits.title', columns: VISIT_COLUMNS })
    return ANSWERED
  })
}

async function pageOf<Row extends { id: string; at: Date }, Shown>(
  ctx: Context,
  query: { pageIndex: number; pageSize: number },
  { source, oldestFirst, shown }: RecordList<Row, Shown>,
) {
  const total = await countRecords(ctx.db, source)
  const rows = await pageOfRecords<Row>(ctx.db, source, { oldestFirst }, stretchOf(query, total))
  return { records: rows.map(shown), ...total }
}
