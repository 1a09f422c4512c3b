import { type Context, type Platform, systemContext, transaction } from '../../platform/platform.ts'
import {
  deleteEntries,
  listApplicationsOfExpiredGrants,
  listEntries,
  listEntriesWithoutAccess,
  takeAccessChanges,
} from './withdrawn-access.store.ts'

/** Rows per writing statement. */
const BATCH_SIZE = 500
/** Finding entries scans every open session, so one scan collects many of them. */
const MAX_ENTRIES_PER_SCAN = 20_000
/** Two runs of the job, so that a late one misses nothing; entries already handled are gone. */
const LOOK_BACK_MS = 120_000

/**
 * Ends a person's access to one application: its tokens are worthless from the commit on, and it is told that the person has left. The
 * sessions themselves go on. The caller provides the transaction in `ctx.db`.
 */
export async function revokeAccess(ctx: Context, userId: string, applicationId: string): Promise<void> {
  const entries = await listEntries(ctx.db, userId, applicationId)
  if (entries.length > 0) await deleteEntries(ctx.db, entries, ctx.now())
}

/**
 * Every minute: tells applications about people who are inside and no longer may be, however the grant was withdrawn. The gate rejects them
 * from that moment on; applications keep sessions of their own.
 */
export async function revokeWithdrawnAccess(platform: Platform): Promise<void> {
  for (;;) {
    const changes = await transaction(systemContext(platform), revokeWithdrawnAccessBatch)
    if (changes < BATCH_SIZE) return
  }
}

async function revokeWithdrawnAccessBatch(ctx: Context): Promise<number> {
  const now = ctx.now()
  const changes = await takeAccessChanges(ctx.db, BATCH_SIZE)
  const ended = await listApplicationsOfExpiredGrants(ctx.db, new Date(now.getTime() - LOOK_BACK_MS), now)
  const filter = {
    everybody: changes.some(({ applicationId, userId }) => applicationId === null && userId === null),
    applicationIds: [...ended, ...changes.flatMap(({ applicationId }) => applicationId ?? [])],
    userIds: changes.flatMap(({ userId }) => userId ?? []),
  }
  if (changes.length === 0 && ended.length === 0) return 0
  for (;;) {
    const entries = await listEntriesWithoutAccess(ctx.db, filter, now, MAX_ENTRIES_PER_SCAN)
    for (let at = 0; at < entries.length; at += BATCH_SIZE)
      await deleteEntries(ctx.db, entries.slice(at, at + BATCH_SIZE), now)
    if (entries.length < MAX_ENTRIES_PER_SCAN) return changes.length
  }
}
