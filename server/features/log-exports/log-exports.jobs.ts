import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { z } from 'zod'
import { Id } from '#shared/contract/endpoint.ts'
import { LoginLogFilters, type LoginLogLine, VisitLogFilters, type VisitLogLine } from '#shared/contract/log-centre.ts'
import { LOG_EXPORT_TASK, MAX_LOG_EXPORT_ROWS } from '#shared/contract/log-exports.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import { type Context, callerOf, transaction } from '../../platform/platform.ts'
import { createSheetStream } from '../../platform/sheet-stream.ts'
import { defineTask, type RunningTask } from '../background-tasks/index.ts'
import {
  ALL_PEOPLE,
  type LineRow,
  type LoginRow,
  type LogSource,
  logBounds,
  loginsBy,
  peopleOf,
  searchLog,
  toLoginLine,
  toVisitLine,
  type VisitRow,
  visitsBy,
} from '../log-centre/index.ts'
import { type ExportColumn, exportWords, recordAudit, zonedTitle } from '../records/index.ts'
import { LOGIN_CELLS, VISIT_CELLS } from './log-cells.rules.ts'
import { readParts, titleOf } from './log-exports.service.ts'
import {
  deleteParts,
  type ExportRow,
  findExport,
  finishExport,
  insertPart,
  lockExport,
  updateStep,
} from './log-exports.store.ts'

const compress = promisify(gzip)

/** Rows per step: at most this much work is lost by a kill. */
const STEP_ROWS = 5000
/** Of the file, before compression. */
const PART_BYTES = 1024 * 1024
/** Percentage of the progress for reading: the rest is for the file. */
const READING_PERCENT = 80
/** Retries of a search that makes no progress. */
const MAX_STALLS = 20

export const exportTask = defineTask({
  kind: LOG_EXPORT_TASK,
  async run(ctx, task) {
    // They may have fewer permissions now than when they requested it.
    const { isSuperUser, permissions } = callerOf(ctx)
    if (!isSuperUser && !permissions?.includes('import')) throw platformErrors['permission.denied']()
    const { exportId } = z.object({ exportId: Id }).parse(task.input)
    let row = await readAll(ctx, task, await findExport(ctx.db, exportId, callerOf(ctx).userId))
    if (row?.state === 'writing' && !task.cancelled()) row = await writeFile(ctx, task, row)
    if (row && task.cancelled()) await dropParts(ctx, row.id)
    return row && { rows: row.rows, sha256: row.sha256 }
  },
})

async function readAll(ctx: Context, task: RunningTask, found: ExportRow | null): Promise<ExportRow | null> {
  let row = found
  let stalls = 0
  while (row?.state === 'reading' && !task.cancelled()) {
    const before: string | null = row.next
    row = await readStep(ctx, task, row)
    stalls = row?.next === before ? stalls + 1 : 0
    if (stalls > MAX_STALLS) throw platformErrors['service.busy']()
  }
  return row
}

async function dropParts({ sql }: Context, id: string): Promise<void> {
  await deleteParts(sql, id, 'rows')
  await deleteParts(sql, id, 'file')
}

type LineReader<Row extends LineRow, Line> = {
  source: LogSource
  query: PeopleQuery & { from?: string | undefined; to?: string | undefined }
  columns: readonly ExportColumn<Line>[]
  toLine: (row: Row) => Line
}
type PeopleQuery = Partial<Parameters<typeof peopleOf>[1]>

type Read = { cells: string[][]; next: string | null; percent: number; lastAt: Date | null }

/** The next records, by the owner's current permissions; preceded by the heading before the first. */
async function readLines<Row extends LineRow, Line>(
  ctx: Context,
  row: ExportRow,
  reader: LineReader<Row, Line>,
): Promise<Read> {
  const { source, query, columns, toLine } = reader
  const words = exportWords(ctx, row.language, row.timeZone)
  const people = await peopleOf(ctx, { ...ALL_PEOPLE, ...query }, 'import')
  const { records, next, searchedBackTo } = await searchLog<Row>(ctx, {
    source,
    people,
    from: query.from,
    to: query.to,
    after: row.next ?? undefined,
    pageSize: Math.min(STEP_ROWS, MAX_LOG_EXPORT_ROWS - row.rows),
    language: row.language,
  })
  const heading = row.parts === 0 ? [columns.map((column) => zonedTitle(column, words, row.timeZone))] : []
  const lines = records.map((one) => {
    const line = toLine(one)
    return columns.map(({ text }) => text(line, words))
  })
  const { begin, end } = await logBounds(ctx, { source, from: query.from, to: query.to })
  const way = searchedBackTo === null ? 1 : (end - Date.parse(searchedBackTo)) / Math.max(end - begin, 1)
  const percent = Math.floor(Math.max(way, (row.rows + lines.length) / MAX_LOG_EXPORT_ROWS) * READING_PERCENT)
  return { cells: [...heading, ...lines], next, percent: Math.max(0, percent), lastAt: records.at(-1)?.at ?? null }
}

function readNext(ctx: Context, row: ExportRow): Promise<Read> {
  const { log, filters, columns } = row
  if (log === 'login') {
    const query = LoginLogFilters.parse(filters)
    const cells = columns.flatMap((name) => LOGIN_CELLS[name as keyof typeof LOGIN_CELLS] ?? [])
    return readLines<LoginRow, LoginLogLine>(ctx, row, {
      source: loginsBy(query),
      query,
      columns: cells,
      toLine: toLoginLine,
    })
  }
  const query = VisitLogFilters.parse(filters)
  const cells = columns.flatMap((name) => VISIT_CELLS[name as keyof typeof VISIT_CELLS] ?? [])
  return readLines<VisitRow, VisitLogLine>(ctx, row, {
    source: visitsBy(query),
    query,
    columns: cells,
    toLine: toVisitLine,
  })
}

/** Reads more records, and stores them with the progress in one transaction. @returns null: the export was deleted meanwhile */
async function readStep(ctx: Context, task: RunningTask, row: ExportRow): Promise<ExportRow | null> {
  const { cells, next, percent, lastAt } = await readNext(ctx, row)
  const rows = row.rows + cells.length - (row.parts === 0 ? 1 : 0)
  const isFull = rows >= MAX_LOG_EXPORT_ROWS
  const data = await compress(JSON.stringify(cells), { level: 1 })
  return await transaction(ctx, async ({ db }) => {
    if (!(await lockExport(db, row.id))) return null
    const added = cells.length > 0 ? 1 : 0
    if (added) await insertPart(db, row.id, { kind: 'rows', part: row.parts, data })
    const state = next === null || isFull ? 'writing' : 'reading'
    const step = {
      rows,
      next,
      parts: row.parts + added,
      state,
      cutAt: isFull && next !== null ? lastAt : null,
    } as const
    await updateStep(db, row.id, step)
    await task.progress(percent, db)
    return { ...row, ...step }
  })
}

async function* readRows(ctx: Context, row: ExportRow): AsyncGenerator<string[]> {
  for await (const part of readParts(ctx.sql, row.id, 'rows')) yield* JSON.parse(part.toString()) as string[][]
}

/** Regroups input chunks into chunks of similar size. */
async function* inPieces(chunks: AsyncIterable<Buffer | string>): AsyncGenerator<Buffer> {
  let buffered: Buffer[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    const data = Buffer.from(chunk as Buffer)
    buffered.push(data)
    bytes += data.length
    if (bytes < PART_BYTES) continue
    yield Buffer.concat(buffered)
    buffered = []
    bytes = 0
  }
  if (bytes > 0) yield Buffer.concat(buffered)
}

/** Generates the file from what was read, from its beginning: an interrupted run starts again. */
async function writeFile(ctx: Context, task: RunningTask, row: ExportRow): Promise<ExportRow | null> {
  const title = ctx.translate(row.language, `${titleOf(row.log)}.title`)
  const { stream } = await createSheetStream({ format: row.format, title, rows: readRows(ctx, row) })
  const hash = createHash('sha256')
  let part = 0
  let bytes = 0
  await deleteParts(ctx.sql, row.id, 'file')
  for await (const piece of inPieces(stream)) {
    if (task.cancelled()) return row
    hash.update(piece)
    bytes += piece.length
    const data = await compress(piece, { level: row.format === 'csv' ? 6 : 1 })
    const percent = READING_PERCENT + Math.min(19, Math.floor((part * 20) / Math.max(row.parts, 1)))
    const isThere = await transaction(ctx, async ({ db }) => {
      if (!(await lockExport(db, row.id))) return false
      await insertPart(db, row.id, { kind: 'file', part, data })
      await task.progress(percent, db)
      return true
    })
    if (!isThere) return null
    part += 1
  }
  const sha256 = hash.digest('hex')
  await transaction(ctx, async (inner) => {
    if (!(await lockExport(inner.db, row.id))) return
    await finishExport(inner.db, row.id, { bytes, sha256, now: inner.now() })
    const after = { list: `${titleOf(row.log)}.title`, rows: row.rows, bytes, sha256 }
    await recordAudit(inner, { action: 'log-export.finish', targetKind: 'log-export', targetId: row.id, after })
    await task.progress(100, inner.db)
  })
  return { ...row, bytes, sha256 }
}
