import type { FastifyRequest } from 'fastify'
import { v7 } from 'uuid'
import { IMPORT_BYTES, IMPORT_COLUMNS, IMPORT_ROWS } from '#shared/contract/user-imports.ts'
import { Refusal } from '../../platform/errors.ts'
import { readUpload } from '../../platform/http/upload.ts'
import { type Context, callerOf, transaction } from '../../platform/platform.ts'
import { readSheet } from '../../platform/spreadsheet/read-sheet.ts'
import { recordAudit } from '../records/index.ts'
import { guessedMapping } from './import-columns.ts'
import { MOST_CELL } from './import-values.ts'
import { stageRows } from './stage-rows.ts'
import { errors } from './user-imports.errors.ts'
import { insertRun, learnSizes, rememberedColumns, updateRun } from './user-imports.store.ts'

/** Files that one node reads at a time: each may be 50 MiB in memory. */
const MOST_AT_ONCE = 2
const reading = new Set<string>()

/**
 * Reads a file into the staging table, all of it or nothing. @returns the id of the run.
 * @throws Refusal `sheet.*`, `import.busy`, `import.no-rows`, `import.not-excel`, `import.too-large`, `request.malformed`.
 */
export async function takeFile(ctx: Context, request: FastifyRequest, fileName: string): Promise<string> {
  const { userId } = callerOf(ctx)
  if (reading.has(userId) || reading.size >= MOST_AT_ONCE) throw errors['import.busy']({ retryAfter: 5 })
  reading.add(userId)
  try {
    const bytes = await readFile(request)
    const id = await transaction(ctx, (inner) => stage(inner, bytes, fileName))
    await learnSizes(ctx.db, ['user_import_rows'])
    return id
  } finally {
    reading.delete(userId)
  }
}

async function readFile(request: FastifyRequest): Promise<Buffer> {
  try {
    return await readUpload(request, IMPORT_BYTES)
  } catch (error) {
    const isTooLarge = error instanceof Refusal && error.status === 413
    throw isTooLarge ? errors['import.too-large']() : error
  }
}

async function stage(ctx: Context, bytes: Buffer, fileName: string): Promise<string> {
  const { userId: ownerId } = callerOf(ctx)
  const id = v7()
  const bounds = { mostRows: IMPORT_ROWS, mostColumns: IMPORT_COLUMNS, mostCharacters: MOST_CELL }
  const { format, encoding, separator, rows } = await readSheet(bytes, bounds)
  // Any text reads as csv: of a workbook that went wrong its columns would be told to be missing.
  if (format === 'csv' && /\.xlsx$/i.test(fileName)) throw errors['import.not-excel']()
  const name = fileName.replace(/\p{C}/gu, '')
  await insertRun(ctx.db, { id, ownerId, fileName: name, format, encoding, separator, at: ctx.now() })
  const { headings, rowCount } = await stageRows(ctx, id, rows)
  if (rowCount === 0) throw errors['import.no-rows']()
  const mapping = guessedMapping(ctx, headings, await rememberedColumns(ctx.db, ownerId))
  await updateRun(ctx.db, id, { headings, rowCount, mapping }, ctx.now())
  const after = { file: name, rows: rowCount }
  await recordAudit(ctx, { action: 'user-import.upload', targetKind: 'user-import', targetId: id, after })
  return id
}
