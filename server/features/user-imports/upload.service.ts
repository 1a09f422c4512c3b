import type { FastifyRequest } from 'fastify'
import { v7 } from 'uuid'
import {
  MAX_IMPORT_BYTES,
  MAX_IMPORT_CHARACTERS,
  MAX_IMPORT_COLUMNS,
  MAX_IMPORT_ROW_CHARACTERS,
  MAX_IMPORT_ROWS,
} from '#shared/contract/user-imports.ts'
import { analyzeTables } from '../../platform/analyze-tables.ts'
import { Refusal } from '../../platform/errors.ts'
import { readUpload } from '../../platform/http/upload.ts'
import { type Context, callerOf, transaction } from '../../platform/platform.ts'
import { readSheet } from '../../platform/spreadsheet/read-sheet.ts'
import { customFields } from '../account-fields/index.ts'
import { recordAudit } from '../records/index.ts'
import { guessMapping } from './import-columns.rules.ts'
import { MAX_CELL_CHARACTERS } from './import-values.rules.ts'
import { stageRows } from './stage-rows.store.ts'
import { errors } from './user-imports.errors.ts'
import { deleteDiscardableRows, insertRun, listStagedSizes, loadSavedColumns, updateRun } from './user-imports.store.ts'

/** Files that one node accepts at a time: each may take 50 MiB of memory. */
const MAX_CONCURRENT_UPLOADS = 2
const uploading = new Set<string>()

/** The end of the queue: reading takes several times the file's size in memory, so files are read one after the other. */
let lastRead: Promise<unknown> = Promise.resolve()

async function serializeReads<T>(read: () => Promise<T>): Promise<T> {
  const turn = lastRead.then(read)
  lastRead = turn.catch(() => {})
  return await turn
}

/** What one person's staged rows may take in the database: twenty files of 200,000 people. */
const MAX_STAGED_MB = 1024

/**
 * Reads a file into the staging table, completely or not at all. @returns the id of the run.
 * @throws Refusal `sheet.*`, `import.busy`, `import.no-room`, `import.no-rows`, `import.not-excel`, `import.too-large`,
 *   `request.malformed`.
 */
export async function uploadFile(ctx: Context, request: FastifyRequest, fileName: string): Promise<string> {
  const { userId } = callerOf(ctx)
  if (uploading.has(userId) || uploading.size >= MAX_CONCURRENT_UPLOADS) throw errors['import.busy']({ retryAfter: 5 })
  uploading.add(userId)
  try {
    const bytes = await readFile(request)
    const id = await serializeReads(() => transaction(ctx, (inner) => stageFile(inner, bytes, fileName)))
    await analyzeTables(ctx.db, ['user_import_rows'])
    return id
  } finally {
    uploading.delete(userId)
  }
}

async function readFile(request: FastifyRequest): Promise<Buffer> {
  try {
    return await readUpload(request, MAX_IMPORT_BYTES)
  } catch (error) {
    const isTooLarge = error instanceof Refusal && error.status === 413
    throw isTooLarge ? errors['import.too-large']() : error
  }
}

const SHEET_LIMITS = {
  maxRows: MAX_IMPORT_ROWS,
  maxColumns: MAX_IMPORT_COLUMNS,
  maxCellLength: MAX_CELL_CHARACTERS,
  maxRowLength: MAX_IMPORT_ROW_CHARACTERS,
  maxFileLength: MAX_IMPORT_CHARACTERS,
}

async function stageFile(ctx: Context, bytes: Buffer, fileName: string): Promise<string> {
  const { userId: ownerId } = callerOf(ctx)
  const id = v7()
  const { format, encoding, separator, rows } = await readSheet(bytes, SHEET_LIMITS)
  // Any text can be read as csv: for a corrupt workbook the error would be about missing columns.
  if (format === 'csv' && /\.xlsx$/i.test(fileName)) throw errors['import.not-excel']()
  const name = fileName.replace(/\p{C}/gu, '')
  await insertRun(ctx.db, { id, ownerId, fileName: name, format, encoding, separator, at: ctx.now() })
  const { headings, rowCount, bytes: stagedBytes } = await stageRows(ctx, id, rows)
  if (rowCount === 0) throw errors['import.no-rows']()
  await makeRoom(ctx, ownerId, stagedBytes)
  const mapping = guessMapping(ctx, headings, await loadSavedColumns(ctx.db, ownerId), await customFields(ctx))
  await updateRun(ctx.db, id, { headings, rowCount, stagedBytes, mapping }, ctx.now())
  const after = { file: name, rows: rowCount }
  await recordAudit(ctx, { action: 'user-import.upload', targetKind: 'user-import', targetId: id, after })
  return id
}

/** Older unused files are deleted to make room; imported ones stay, because they can be undone. */
async function makeRoom(ctx: Context, ownerId: string, bytes: number): Promise<void> {
  const staged = await listStagedSizes(ctx.db, ownerId)
  let total = staged.reduce((sum, one) => sum + one.bytes, bytes)
  const maxBytes = MAX_STAGED_MB * 1024 * 1024
  for (const { id, bytes: own } of staged.filter(({ isOpen }) => isOpen)) {
    if (total <= maxBytes) return
    if (await deleteDiscardableRows(ctx.db, id)) total -= own
  }
  if (total > maxBytes) throw errors['import.no-room']({ params: { most: MAX_STAGED_MB } })
}
