import type { FastifyReply } from 'fastify'
import { defineErrors } from './errors.ts'
import { createSheetStream } from './sheet-stream.ts'

const errors = defineErrors({ 'export.busy': 429 })

/** Concurrent exports per node, and per person: each may read a whole table. */
const MAX_CONCURRENT_EXPORTS = 4

/** Separate pools: exports of people's own data must not take the slots of the back office. */
type ExportPool = 'own' | 'office'
const runningExports: Record<ExportPool, Set<string>> = { own: new Set(), office: new Set() }

type SheetFile = {
  /** The person who exports. */
  who: string
  places: ExportPool
  format: 'csv' | 'xlsx'
  /** The name of the sheet. */
  title: string
  /** Without its extension. */
  fileName: string
  headers?: Record<string, string>
  /** Read as the client accepts them, so that memory is the same for ten rows and a million. */
  rows(): AsyncIterable<string[]>
}

/** Takes an export slot before any work is done. @throws Refusal `export.busy`. @returns releases it */
export function acquireExportSlot(ownerId: string, pool: ExportPool): () => void {
  const taken = runningExports[pool]
  if (taken.has(ownerId) || taken.size >= MAX_CONCURRENT_EXPORTS) throw errors['export.busy']({ retryAfter: 5 })
  taken.add(ownerId)
  return () => void taken.delete(ownerId)
}

/** Answers with a table as a file that is generated while it is sent. @throws Refusal `export.busy`. */
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
