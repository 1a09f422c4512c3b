import {
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
import { ANSWERED, type Api } from '../../platform/http/mount.ts'
import { reportPage, sendReport } from './import-report.ts'
import { sendTemplate } from './import-template.ts'
import { takeFile } from './upload.service.ts'
import { beginCheck, beginImport, beginUndo, listRuns, readRun } from './user-imports.service.ts'
import { sendUsers } from './users-export.service.ts'

export function mountUserImports(api: Api): void {
  api.mount(uploadImport, async (ctx, { query }, { request }) =>
    readRun(ctx, await takeFile(ctx, request, query.fileName)),
  )
  api.mount(importTemplate, async (ctx, { query }, { reply }) => {
    await sendTemplate(ctx, reply, query.format)
    return ANSWERED
  })
  api.mount(exportUsers, async (ctx, { query }, { reply }) => {
    await sendUsers(ctx, reply, query)
    return ANSWERED
  })
  api.mount(listImports, (ctx, { query }) => listRuns(ctx, query))
  api.mount(importDetails, (ctx, { query }) => readRun(ctx, query.id))
  api.mount(checkImport, (ctx, { query, body }) => beginCheck(ctx, { ...query, ...body }))
  api.mount(startImport, (ctx, { query, body }) => beginImport(ctx, { ...query, ...body }))
  api.mount(undoImport, (ctx, { query, body }) => beginUndo(ctx, { ...query, ...body }))
  api.mount(listImportRows, (ctx, { query }) => reportPage(ctx, query))
  api.mount(downloadImport, async (ctx, { query }, { reply }) => {
    await sendReport(ctx, reply, query)
    return ANSWERED
  })
}
