import {
  approveSyncRun,
  directorySyncs,
  discardSyncRun,
  listSyncRuns,
  startSync,
  syncRunDetails,
} from '#shared/contract/directory-syncs.ts'
import type { Api } from '../../platform/http/mount.ts'
import { syncsService } from './directory-syncs.service.ts'
import { approveRun, discardRun, getRunDetails, listRuns, startRun } from './runs.service.ts'

export function mountDirectorySyncs(api: Api): void {
  api.mount(directorySyncs.list, (ctx, { query }) => syncsService.page(ctx, query))
  api.mount(directorySyncs.details, (ctx, { query }) => syncsService.get(ctx, query.id))
  api.mount(directorySyncs.create, (ctx, { body }) => syncsService.create(ctx, body))
  api.mount(directorySyncs.update, (ctx, { query, body }) => syncsService.update(ctx, query.id, body))
  api.mount(directorySyncs.remove, (ctx, { query, body }) => syncsService.remove(ctx, query.id, body.version))
  api.mount(startSync, (ctx, { query, body }) => startRun(ctx, query.id, body.dryRun))
  api.mount(listSyncRuns, (ctx, { query }) => listRuns(ctx, query.syncId))
  api.mount(syncRunDetails, (ctx, { query }) => getRunDetails(ctx, query))
  api.mount(approveSyncRun, (ctx, { query, body }) => approveRun(ctx, query.id, body.reason))
  api.mount(discardSyncRun, (ctx, { query }) => discardRun(ctx, query.id))
}
