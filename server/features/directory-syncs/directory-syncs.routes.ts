import {
  approveSyncRun,
  directorySyncs,
  discardSyncRun,
  listSyncRuns,
  resetSyncCursor,
  startSync,
  syncRunDetails,
  undoSyncRun,
} from '#shared/contract/directory-syncs.ts'
import { previewSyncMapping } from '#shared/contract/sync-mappings.ts'
import { decideSyncMatch, listSyncMatches } from '#shared/contract/sync-matches.ts'
import { findSyncSwitch, previewSyncSchedule, updateSyncSwitch } from '#shared/contract/sync-switch.ts'
import type { Api } from '../../platform/http/mount.ts'
import { previewSchedule } from '../sync-runs/index.ts'
import { syncsService } from './directory-syncs.service.ts'
import { previewMapping } from './mapping-preview.service.ts'
import { decideMatch, listMatches } from './matches.service.ts'
import { approveRun, discardRun, getRunDetails, listRuns, resetCursor, startRun, undoRun } from './runs.service.ts'
import { setSyncSwitch, syncSwitch } from './sync-switch.service.ts'

export function mountDirectorySyncs(api: Api): void {
  api.mount(directorySyncs.list, (ctx, { query }) => syncsService.page(ctx, query))
  api.mount(directorySyncs.details, (ctx, { query }) => syncsService.get(ctx, query.id))
  api.mount(directorySyncs.create, (ctx, { body }) => syncsService.create(ctx, body))
  api.mount(directorySyncs.update, (ctx, { query, body }) => syncsService.update(ctx, query.id, body))
  api.mount(directorySyncs.remove, (ctx, { query, body }) => syncsService.remove(ctx, query.id, body.version))
  api.mount(startSync, (ctx, { query, body }) => startRun(ctx, query.id, body))
  api.mount(resetSyncCursor, (ctx, { query }) => resetCursor(ctx, query.id))
  api.mount(listSyncRuns, (ctx, { query }) => listRuns(ctx, query.syncId))
  api.mount(syncRunDetails, (ctx, { query }) => getRunDetails(ctx, query))
  api.mount(undoSyncRun, (ctx, { query, body }) => undoRun(ctx, query.id, body.reason))
  api.mount(previewSyncMapping, (ctx, { body }) => previewMapping(ctx, body))
  api.mount(previewSyncSchedule, async (ctx, { query }) => previewSchedule(ctx, query))
  api.mount(findSyncSwitch, (ctx) => syncSwitch(ctx))
  api.mount(updateSyncSwitch, (ctx, { body }) => setSyncSwitch(ctx, body.isPaused))
  api.mount(listSyncMatches, (ctx, { query }) => listMatches(ctx, query))
  api.mount(decideSyncMatch, (ctx, { query, body }) => decideMatch(ctx, query.id, body))
  api.mount(approveSyncRun, (ctx, { query, body }) => approveRun(ctx, query.id, body.reason))
  api.mount(discardSyncRun, (ctx, { query }) => discardRun(ctx, query.id))
}
