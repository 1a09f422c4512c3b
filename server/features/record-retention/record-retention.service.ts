import type { RecordKind, RecordRetention } from '#shared/contract/record-retention.ts'
import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import { archiveFolderProblem } from '../../platform/archive-folder.ts'
import { isLockTimeout } from '../../platform/db.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { recordAudit } from '../records/index.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { findCountedUntil } from '../statistics/index.ts'
import { type Archive, archivePartition } from './record-archive.store.ts'
import { findExpired, nextRunAfter } from './record-retention.rules.ts'
import {
  countRecords,
  dropPartition,
  findLastRun,
  listDropped,
  listPartitions,
  type RecordPartition,
} from './record-retention.store.ts'

export const RETENTION_JOB = 'record-retention.run'

const MAX_DROPPED = 24

/** Records per month, and the months already dropped. */
export async function describeRetention(ctx: Context): Promise<RecordRetention> {
  const months = (await listPartitions(ctx.db)).map(({ name, ...month }) => month)
  const last = await findLastRun(ctx.db, RETENTION_JOB)
  const dropped = await listDropped(ctx.db, MAX_DROPPED)
  return {
    isArchived: ctx.config.recordArchiveDir !== undefined,
    archiveProblem: await archiveFolderProblem(ctx.config),
    months: months.filter(({ rows }) => rows > 0),
    lastRun: last && { at: last.startedAt.toISOString(), result: resultOf(last) },
    nextRun: nextRunAfter(ctx.now()).toISOString(),
    dropped: dropped.map(({ name, at, ...size }) => ({ ...size, ...partOf(name), at: at.toISOString() })),
  }
}

const partOf = (name: string): { kind: RecordKind; month: string } => {
  const [kind = '', , year, month] = name.split('_')
  return { kind: kind as RecordKind, month: `${year}-${month}` }
}

function resultOf({ startedAt, finishedAt, error }: NonNullable<Awaited<ReturnType<typeof findLastRun>>>) {
  if (!finishedAt || finishedAt < startedAt) return 'running'
  if (error === null) return 'done'
  return error === RecordsBusyError.name ? 'busy' : 'failed'
}

/** The months whose retention is over under a policy. */
async function listExpired({ db, now }: Pick<Context, 'db' | 'now'>, policy: SignInPolicy): Promise<RecordPartition[]> {
  const [partitions, countedUntil] = [await listPartitions(db), await findCountedUntil(db)]
  return findExpired(partitions, policy, { now: now(), countedUntil })
}

/** What the next run would drop under a policy: months, and their records as estimated by the database. */
export async function predictDrop(ctx: Pick<Context, 'db' | 'now'>, policy: SignInPolicy) {
  const expired = await listExpired(ctx, policy)
  const months = expired.map(({ kind, month, rows }) => ({ kind, month, rows: Math.round(rows) }))
  return { months, records: months.reduce((sum, { rows }) => sum + rows, 0) }
}

/** Some months were in use; the next run retries them. */
class RecordsBusyError extends Error {
  override name = RecordsBusyError.name
}

/**
 * Drops each month whose retention is over, with an audit record that outlives it; archives it first, if an archive is configured.
 * @throws RecordsBusyError if some were in use and stay until the next run.
 */
export async function dropExpired(ctx: Context): Promise<void> {
  const policy = await signInPolicy(ctx)
  const busy: string[] = []
  for (const partition of await listExpired(ctx, policy)) {
    await drop(ctx, partition).catch((error: unknown) => {
      if (!isLockTimeout(error)) throw error
      busy.push(partition.name)
    })
  }
  if (busy.length > 0) throw new RecordsBusyError(`in use: ${busy.join(', ')}`)
}

/** The record is written first, so that the lock lasts only from the drop to the commit. */
async function drop(ctx: Context, { name, bytes }: RecordPartition): Promise<void> {
  const { recordArchiveDir } = ctx.config
  const kept: Partial<Archive> = recordArchiveDir ? await archivePartition(ctx.db, recordArchiveDir, name) : {}
  const rows = await countRecords(ctx.db, name)
  await transaction(ctx, async (inner) => {
    const line = { action: 'records.drop', targetKind: 'records', targetId: name }
    await recordAudit(inner, { ...line, before: { rows, bytes, ...kept } })
    await dropPartition(inner.db, name)
  })
}
