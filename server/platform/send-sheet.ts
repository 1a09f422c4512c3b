import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import { defineErrors } from './errors.ts'
import { sheetStream } from './sheet.ts'

const errors = defineErrors({ 'export.busy': 429 })

/** Exports of one node at a time, and of one person: each may read a whole table. */
const MOST_AT_ONCE = 4

/** Whose places: what anybody may export of their own must not take those of the back office. */
type Places = 'own' | 'office'
const running: Record<Places, Set<string>> = { own: new Set(), office: new Set() }

/**
 * Who takes nothing for so long is cut off, or they would keep their place for as long as they like. What is sent at once, 64 KiB, is
 * taken sooner over any line.
 */
const PATIENCE_MS = 30_000

type SheetFile = {
  /** Whose export it is. */
  who: string
  places: Places
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
export function takeExportPlace(who: string, places: Places): () => void {
  const taken = running[places]
  if (taken.has(who) || taken.size >= MOST_AT_ONCE) throw errors['export.busy']({ retryAfter: 5 })
  taken.add(who)
  return () => void taken.delete(who)
}

/** Breaks the connection off when what waits to be sent is the same for a while. */
function cutOffIdle(response: ServerResponse): void {
  let sent = -1
  const timer = setInterval(() => {
    const now = response.socket?.bytesWritten ?? 0
    if (now === sent && response.writableLength > 0) response.destroy()
    sent = now
  }, PATIENCE_MS).unref()
  response.once('close', () => clearInterval(timer))
}

/** Answers a table as a file that is made while it is sent. @throws Refusal `export.busy`. */
export async function sendSheet(
  reply: FastifyReply,
  file: SheetFile,
  leave = takeExportPlace(file.who, file.places),
): Promise<void> {
  try {
    const { stream, contentType } = await sheetStream({ format: file.format, title: file.title, rows: file.rows() })
    stream.once('close', leave)
    cutOffIdle(reply.raw)
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
