import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { FastifyReply } from 'fastify'
import { v7 } from 'uuid'
import {
  type exportLogins,
  type exportVisits,
  LOG_EXPORT_DAYS,
  LOG_EXPORT_TASK,
  type LogExport,
  MAX_LOG_EXPORTS,
} from '#shared/contract/log-exports.ts'
import { DAY_MS } from '#shared/rules/durations.ts'
import type { Input } from '../../platform/http/mount.ts'
import { toIso } from '../../platform/iso-time.ts'
import { type Context, callerOf, type Platform, transaction } from '../../platform/platform.ts'
import { SHEET_TYPES } from '../../platform/sheet-stream.ts'
import { cancelBackgroundTask, startTask } from '../background-tasks/index.ts'
import { recordAudit, toTimeFormat } from '../records/index.ts'
import { errors } from './log-exports.errors.ts'
import {
  countExports,
  deleteExport,
  deleteExportsBefore,
  findExport,
  findPart,
  insertExport,
  listExports,
} from './log-exports.store.ts'

const inflate = promisify(gunzip)

type ExportRequest =
  | { log: 'login'; body: Input<typeof exportLogins>['body'] }
  | { log: 'visit'; body: Input<typeof exportVisits>['body'] }

export type StoredFilters = Record<string, unknown> & { without?: string }

/** As they arrived, so that the contract can parse them again. */
function toStored({ without, ...filters }: ExportRequest['body']['filters']): StoredFilters {
  const pairs = without?.map(({ name, value }) => [name, value] as [string, string])
  return { ...filters, ...(pairs && { without: new URLSearchParams(pairs).toString() }) }
}

/** Queues an export of the records that match filters. @throws Refusal `export.time-zone-unknown`, `log-export.too-many`. */
export async function startExport(ctx: Context, { log, body }: ExportRequest): Promise<{ id: string }> {
  const { userId } = callerOf(ctx)
  const { format, timeZone, columns } = body
  toTimeFormat(timeZone)
  const id = v7()
  const filters = toStored(body.filters)
  await transaction(ctx, async (inner) => {
    if ((await countExports(inner.db, userId)) >= MAX_LOG_EXPORTS) {
      throw errors['log-export.too-many']({ params: { count: MAX_LOG_EXPORTS } })
    }
    const taskId = await startTask(inner, { kind: LOG_EXPORT_TASK, input: { exportId: id }, total: 100 })
    const { language } = inner.client
    const createdAt = inner.now()
    const newExport = { id, ownerId: userId, taskId, log, filters, columns, format, timeZone, language, createdAt }
    await insertExport(inner.db, newExport)
    const after = { list: `${titleOf(log)}.title`, format, timeZone, columns, filters }
    await recordAudit(inner, { action: 'log-export.start', targetKind: 'log-export', targetId: id, after })
  })
  return { id }
}

export const titleOf = (log: LogExport['log']) => (log === 'login' ? 'login-log' : 'app-visit-log')

type ListedRow = Awaited<ReturnType<typeof listExports>>[number]

const stateOf = ({ state, taskState }: ListedRow): LogExport['state'] => {
  if (state === 'ready') return state
  // A task is kept longer than an export.
  if (taskState === 'failed' || taskState === 'cancelled' || taskState === 'queued') return taskState
  return taskState === null || taskState === 'done' ? 'failed' : state
}

/** The caller's own exports, latest first. */
export async function myExports(ctx: Context, log: LogExport['log']): Promise<{ records: LogExport[] }> {
  const rows = await listExports(ctx.db, callerOf(ctx).userId, log, MAX_LOG_EXPORTS)
  const records = rows.map((row) => ({
    id: row.id,
    taskId: row.taskId,
    log: row.log,
    format: row.format,
    timeZone: row.timeZone,
    state: stateOf(row),
    percent: row.percent ?? 0,
    rows: row.rows,
    cutAt: toIso(row.cutAt),
    bytes: row.bytes,
    sha256: row.sha256,
    createdAt: row.createdAt.toISOString(),
    expiresAt: new Date(row.createdAt.getTime() + LOG_EXPORT_DAYS * DAY_MS).toISOString(),
  }))
  return { records }
}

/** The parts of an export, read one at a time. */
export async function* readParts(db: Context['db'], id: string, kind: 'rows' | 'file'): AsyncGenerator<Buffer> {
  for (let part = 0; ; part += 1) {
    const data = await findPart(db, id, { kind, part })
    if (!data) return
    yield await inflate(data)
  }
}

/** Streams the file as the client accepts it. @throws Refusal `log-export.not-found`, also for another person's. */
export async function sendExportFile(ctx: Context, reply: FastifyReply, id: string): Promise<void> {
  const row = await findExport(ctx.db, id, callerOf(ctx).userId)
  if (row?.state !== 'ready') throw errors['log-export.not-found']()
  const after = { list: `${titleOf(row.log)}.title`, rows: row.rows, sha256: row.sha256 }
  await recordAudit(ctx, { action: 'log-export.download', targetKind: 'log-export', targetId: id, after })
  reply
    .type(SHEET_TYPES[row.format])
    .header('content-disposition', `attachment; filename="${titleOf(row.log)}.${row.format}"`)
    .header('cache-control', 'no-store')
    .header('content-length', row.bytes ?? 0)
    .send(Readable.from(readParts(ctx.sql, id, 'file')))
}

/** Deletes an export, stopping it first. @throws Refusal `log-export.not-found`. */
export async function removeExport(ctx: Context, id: string): Promise<void> {
  const row = await findExport(ctx.db, id, callerOf(ctx).userId)
  if (!row) throw errors['log-export.not-found']()
  await cancelBackgroundTask(ctx, row.taskId).catch(() => undefined)
  await transaction(ctx, async (inner) => {
    await deleteExport(inner.db, id)
    const before = { list: `${titleOf(row.log)}.title`, rows: row.rows }
    await recordAudit(inner, { action: 'log-export.delete', targetKind: 'log-export', targetId: id, before })
  })
}

/** Hourly: deletes expired exports. */
export const deleteOldExports = ({ sql, now }: Platform): Promise<void> =>
  deleteExportsBefore(sql, new Date(now().getTime() - LOG_EXPORT_DAYS * DAY_MS))
