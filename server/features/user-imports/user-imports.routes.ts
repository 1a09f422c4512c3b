import {
  acceptImportRows,
  checkImport,
  downloadImport,
  exportUsers,
  importDetails,
  importTemplate,
  listImportRows,
  listImports,
  startImport,
  undoImport,
  uploadImport,
} from '#shared/contract/user-imports.ts'
import { type Api, REPLY_SENT } from '../../platform/http/mount.ts'
import { reportPage, sendReport } from './import-report.service.ts'
import { sendTemplate } from './import-template.service.ts'
import { uploadFile } from './upload.service.ts'
import { acceptRows, beginCheck, beginImport, beginUndo, getImportRun, listRuns } from './user-imports.service.ts'
import { sendUsersExport } from './users-export.service.ts'

export function mountUserImports(api: Api): void {
  api.mount(uploadImport, async (ctx, { query }, { request }) =>
    getImportRun(ctx, await uploadFile(ctx, request, query.fileName)),
  )
  api.mount(importTemplate, async (ctx, { query }, { reply }) => {
    await sendTemplate(ctx, reply, query.format)
    return REPLY_SENT
  })
  api.mount(exportUsers, async (ctx, { query }, { reply }) => {
    await sendUsersExport(ctx, reply, query)
    return REPLY_SENT
  })
  api.mount(listImports, (ctx, { query }) => listRuns(ctx, query))
  api.mount(importDetails, (ctx, { query }) => getImportRun(ctx, query.id))
  api.mount(checkImport, (ctx, { query, body }) => beginCheck(ctx, { ...query, ...body }))
  api.mount(acceptImportRows, (ctx, { query, body }) => acceptRows(ctx, { ...query, ...body }))
  api.mount(startImport, (ctx, { query, body }) => beginImport(ctx, { ...query, ...body }))
  api.mount(undoImport, (ctx, { query, body }) => beginUndo(ctx, { ...query, ...body }))
  api.mount(listImportRows, (ctx, { query }) => reportPage(ctx, query))
  api.mount(downloadImport, async (ctx, { query }, { reply }) => {
    await sendReport(ctx, reply, query)
    return REPLY_SENT
  })
}
