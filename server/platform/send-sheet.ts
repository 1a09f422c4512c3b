import type { FastifyReply } from 'fastify'
import { defineErrors } from './errors.ts'
import { sheetStream } from './sheet.ts'

const errors = defineErrors({ 'export.busy': 429 })

/** Exports of one node at a time, and of one person: each may read a whole table. */
const MOST_AT_ONCE = 4
const running = new Set<string>()

type SheetFile = {
  /** Whose export it is. */
  who: string
  format: 'csv' | 'xlsx'
  /** The name of the sheet. */
  title: string
  /** Without its ending. */
  fileName: string
  headers?: Record<string, string>
  /** Read as the person takes them, so that memory is the same for ten rows and for a million. */
  rows(): AsyncIterable<string[]>
}

/** Takes a place among the exports before any work is done for one. @throws Refusal `export.busy`. @returns how to leave it. */
export function takeExportPlace(who: string): () => void {
  if (running.has(who) || running.size >= MOST_AT_ONCE) throw errors['export.busy']({ retryAfter: 5 })
  running.add(who)
  return () => void running.delete(who)
}

/** Answers a table as a file that is made while it is sent. @throws Refusal `export.busy`. */
export async function sendSheet(
  reply: FastifyReply,
  file: SheetFile,
  leave = takeExportPlace(file.who),
): Promise<void> {
  try {
    const { stream, contentType } = await sheetStream({ format: file.format, title: file.title, rows: file.rows() })
    stream.once('close', leave)
    reply
      .type(contentType)
      .header('content-disposition', `attachment; filename="${file.fileName}.${file.format}"`)
      .header('cache-control', 'no-store')
      .headers(file.headers ?? {})
      .send(stream)
  } catch (error) {
    leave()
    throw error
  }
}
