import type { FastifyReply } from 'fastify'
import { defineErrors } from './errors.ts'
import { createSheetStream } from './sheet-stream.ts'

const errors = defineErrors({ 'export.busy': 429 })

/** Exports of one node at a time, and of one person: each may read a whole table. */
const MAX_CONCURRENT_EXPORTS = 4

/** Whose places: what anybody may export of their own must not take those of the back office. */
type ExportPool = 'own' | 'office'
const runningExports: Record<ExportPool, Set<string>> = { own: new Set(), office: new Set() }

type SheetFile = {
  /** Whose export it is. */
  who: string
  places: ExportPool
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
export function acquireExportSlot(ownerId: string, pool: ExportPool): () => void {
  const taken = runningExports[pool]
  if (taken.has(ownerId) || taken.size >= MAX_CONCURRENT_EXPORTS) throw errors['export.busy']({ retryAfter: 5 })
  taken.add(ownerId)
  return () => void taken.delete(ownerId)
}

/** Answers a table as a file that is made while it is sent. @throws Refusal `export.busy`. */
export async function sendSheet(
  reply: FastifyReply,
  file: SheetFile,
  releaseSlot = acquireExportSlot(file.who, file.places),
): Promise<void> {
  try {
    const { stream, contentType } = await createSheetStream({
      format: file.format,
      title: file.title,
      rows: file.rows(),
    })
    stream.once('close', releaseSlot)
    reply
      .type(contentType)
      .header('content-disposition', `attachment; filename="${file.fileName}.${file.format}"`)
      .header('cache-control', 'no-store')
      .headers(file.headers ?? {})
      .send(stream)
  } catch (error) {
    releaseSlot()
    throw error
  }
}
