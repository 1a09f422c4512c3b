import type { DirectorySync } from '#shared/contract/directory-syncs.ts'
import type { Context } from '../../platform/platform.ts'
import { recordAudit } from '../records/index.ts'
import { cursorKey } from './cursor.rules.ts'
import { setCursor } from './directory-syncs.store.ts'
import { countRows } from './rows.store.ts'
import { beginRun, syncTarget } from './run-start.service.ts'
import { type RunRow, updateRun } from './runs.store.ts'

/**
 * Ends an applied run, in the caller's transaction. People are synced after their departments: the end of the departments' run starts
 * theirs.
 * @returns false if it has already ended.
 */
export async function endRun(ctx: Context, run: RunRow, sync: DirectorySync): Promise<boolean> {
  const counts = await countRows(ctx.db, run.id)
  if (!(await updateRun(ctx.db, run.id, ['applying'], { state: 'done', counts, finishedAt: ctx.now() }))) return false
  // Only now has everything up to this cursor been applied. The sync may read another table by now.
  if (run.cursorAfter !== null && sync.cursorColumn !== null && sync.version === run.syncVersion)
    await setCursor(ctx.db, sync.id, cursorKey(sync.table, sync.cursorColumn), run.cursorAfter)
  const after = { run: run.id, state: 'done', ...counts }
  await recordAudit(ctx, { action: 'directory-sync.finish', ...syncTarget(run.syncId), after })
  if (run.objects === 'departments' && sync.objects === 'both')
    await beginRun(ctx, sync, { objects: 'people', dryRun: run.dryRun, incremental: run.cursorBefore !== null })
  return true
}
