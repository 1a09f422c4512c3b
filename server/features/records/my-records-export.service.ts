import type { FastifyReply } from 'fastify'
import type { Language } from '#shared/contract/endpoint.ts'
import { EXPORT_TRUNCATED_HEADER, MAX_EXPORTED_ROWS } from '#shared/contract/records.ts'
import { type Context, callerOf } from '../../platform/platform.ts'
import { acquireExportSlot, sendSheet } from '../../platform/sheet-response.ts'
import { countRecordsUpTo, type ExportPosition, recordsAfter } from './my-records.store.ts'
import type { RecordList } from './my-records-lists.service.ts'
import { errors } from './records.errors.ts'
import { recordAudit } from './records.service.ts'

export type ExportWords = {
  /** A message in the caller's language. */
  say: (key: string, params?: Record<string, string | number>) => string
  /** A timestamp in the person's zone, `2026-11-21 08:05:00`. */
  time: (iso: string | null) => string
}

/** A column of the file: the message of its heading, and its text for a row. */
export type ExportColumn<Shown> = { title: string; isTime?: boolean; text: (row: Shown, words: ExportWords) => string }

type ExportOptions<Row extends { id: string; at: Date }, Shown> = {
  list: RecordList<Row, Shown>
  /** The name of the list: a message key. */
  title: string
  columns: readonly ExportColumn<Shown>[]
  format: 'csv' | 'xlsx'
  timeZone: string
}

const BATCH_ROWS = 2000

/**
 * Streams a list as a file, after its audit record is committed. Rows are read as the client accepts them, so memory is the same for ten
 * and for 100,000.
 * @throws Refusal `export.busy`, `export.time-zone-unknown`
 */
export async function sendExport<Row extends { id: string; at: Date }, Shown>(
  ctx: Context,
  reply: FastifyReply,
  wanted: ExportOptions<Row, Shown>,
): Promise<void> {
  const { userId } = callerOf(ctx)
  const { list, title, columns, format, timeZone } = wanted
  const words = exportWords(ctx, ctx.client.language, timeZone)
  const releasePlace = acquireExportSlot(userId, 'own')
  try {
    const found = await countRecordsUpTo(ctx.db, list.source, MAX_EXPORTED_ROWS + 1)
    const isCut = found > MAX_EXPORTED_ROWS
    const rows = Math.min(found, MAX_EXPORTED_ROWS)
    const after = { list: title, format, rows }
    await recordAudit(ctx, { action: 'records.export', targetKind: 'user', targetId: userId, after })
    const cells = async function* () {
      yield columns.map((column) => zonedTitle(column, words, timeZone))
      for await (const row of readRows(ctx, list)) yield columns.map(({ text }) => text(list.shown(row), words))
      if (isCut) yield [words.say('export.cut', { count: MAX_EXPORTED_ROWS })]
    }
    const headers = { [EXPORT_TRUNCATED_HEADER]: isCut ? '1' : '0' }
    const where = { who: userId, places: 'own' } as const
    const file = { ...where, format, title: words.say(title), fileName: 'records', headers, rows: cells }
    await sendSheet(reply, file, releasePlace)
  } catch (error) {
    releasePlace()
    throw error
  }
}

async function* readRows<Row extends { id: string; at: Date }>(ctx: Context, list: RecordList<Row, unknown>) {
  let after: ExportPosition | null = null
  for (let left = MAX_EXPORTED_ROWS; left > 0; ) {
    const limit = Math.min(BATCH_ROWS, left)
    const rows: (Row & { exactAt: string })[] = await recordsAfter<Row>(ctx.db, list.source, {
      oldestFirst: list.oldestFirst,
      after,
      limit,
    })
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < limit) return
    after = { at: last.exactAt, id: last.id }
    left -= rows.length
  }
}

/** Texts and times of a file. @throws Refusal `export.time-zone-unknown`. */
export function exportWords(ctx: Pick<Context, 'translate'>, language: Language, timeZone: string): ExportWords {
  const format = toTimeFormat(timeZone)
  return {
    say: (key, params) => ctx.translate(language, key, params),
    time: (iso) => (iso ? format.format(new Date(iso)) : ''),
  }
}

/** The heading of a column; one of times names their zone. */
export const zonedTitle = (
  column: Pick<ExportColumn<never>, 'title' | 'isTime'>,
  words: ExportWords,
  timeZone: string,
) => (column.isTime ? `${words.say(column.title)} (${timeZone})` : words.say(column.title))

/** @throws Refusal `export.time-zone-unknown`. */
export function toTimeFormat(timeZone: string): Intl.DateTimeFormat {
  try {
    // Swedish uses a sortable format: 2026-11-21 08:05:00.
    return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  } catch {
    throw errors['export.time-zone-unknown']()
  }
}
