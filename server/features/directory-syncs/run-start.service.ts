import { v7 } from 'uuid'
import type { DirectorySync } from '#shared/contract/directory-syncs.ts'
import type { Context } from '../../platform/platform.ts'
import { startScheduledTask, startTask } from '../background-tasks/index.ts'
import { sourceVersion } from '../data-sources/index.ts'
import { recordAudit } from '../records/index.ts'
import { findExpectedRows, insertRun, type RunObjects, updateRun } from './runs.store.ts'

export const TASK_KIND = 'directory-sync.run'

export const syncTarget = (id: string) => ({ targetKind: 'directory-sync', targetId: id })

/** The page of a run and the message key of its reasons, for notices. */
export const noticeLink = ({ id }: Pick<DirectorySync, 'id'>) =>
  ({ page: `org-sync-detail?sync=${id}`, heldKey: 'directory-sync.held' }) as const

type NewRunOptions = { objects: RunObjects; dryRun: boolean; incremental: boolean; eventsUntil?: string | null }

/** Starts a run in the caller's transaction. @returns its id; null if another run of the source is under way. */
export async function beginRun(
  ctx: Context,
  { id: syncId, sourceId, version: syncVersion, cursor }: DirectorySync,
  { objects, dryRun, incremental, eventsUntil = null }: NewRunOptions,
): Promise<string | null> {
  const id = v7()
  const cursorBefore = incremental ? cursor : null
  // Departments form one tree and are always read completely; the run of people after them uses the cursor.
  const isPart = (cursorBefore !== null || eventsUntil !== null) && objects === 'people'
  const mode = isPart ? 'incremental' : 'full'
  const version = await sourceVersion(ctx, sourceId)
  const own = { sourceId, objects, mode, cursorBefore, sourceVersion: version, eventsUntil } as const
  const startedBy = ctx.caller?.userId ?? null
  const isIn = await insertRun(ctx.db, { id, syncId, dryRun, syncVersion, startedBy, at: ctx.now() }, own)
  if (!isIn) return null
  await queueRun(ctx, id, (await findExpectedRows(ctx.db, syncId, ctx.now(), objects)) ?? 0)
  await recordAudit(ctx, { action: 'directory-sync.start', ...syncTarget(syncId), after: { run: id, objects, dryRun } })
  return id
}

export async function queueRun(ctx: Context, runId: string, total: number): Promise<void> {
  const start = ctx.caller ? startTask : startScheduledTask
  const taskId = await start(ctx, { kind: TASK_KIND, input: { runId }, total })
  await updateRun(ctx.db, runId, ['reading', 'applying', 'undoing'], { taskId })
}
