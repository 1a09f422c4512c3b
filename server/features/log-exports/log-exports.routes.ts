import {
  deleteLogExport,
  downloadLogExport,
  exportLogins,
  exportVisits,
  listLogExports,
} from '#shared/contract/log-exports.ts'
import { type Api, REPLY_SENT } from '../../platform/http/mount.ts'
import { myExports, removeExport, sendExportFile, startExport } from './log-exports.service.ts'

export function mountLogExports(api: Api): void {
  api.mount(exportLogins, (ctx, { body }) => startExport(ctx, { log: 'login', body }))
  api.mount(exportVisits, (ctx, { body }) => startExport(ctx, { log: 'visit', body }))
  api.mount(listLogExports, (ctx, { query }) => myExports(ctx, query.log))
  api.mount(downloadLogExport, async (ctx, { query }, { reply }) => {
    await sendExportFile(ctx, reply, query.id)
    return REPLY_SENT
  })
  api.mount(deleteLogExport, async (ctx, { query }) => {
    await removeExport(ctx, query.id)
    return null
  })
}
