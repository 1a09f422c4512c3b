import { once } from 'node:events'
import type { Writable } from 'node:stream'
import type { Context } from '../../platform/platform.ts'
import type { SheetRow } from '../../platform/spreadsheet/read-sheet.ts'

const escapeCopyText = (text: string): string => text.replace(/[\\\n\r\t]/g, (sign) => ESCAPES[sign] ?? '')
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

type StagedFile = { headings: string[]; rowCount: number; bytes: number }

/** Characters sent together. */
const CHUNK_CHARACTERS = 64 * 1024

/** A row of instructions or examples, as the template contains. */
const isCommentRow = ({ cells }: SheetRow): boolean => (cells.find((cell) => cell !== '') ?? '').startsWith('#')

/** Copies the rows below the heading into the staging table as they are read, texts sealed; memory use stays at one chunk. */
export async function stageRows(ctx: Context, importId: string, rows: AsyncIterable<SheetRow>): Promise<StagedFile> {
  const { db, secrets } = ctx
  const copy = await db`copy user_import_rows (import_id, row, cells, notes) from stdin`.writable()
  let headings: string[] | null = null
  let rowCount = 0
  let columns = 0
  let lines = ''
  let bytes = 0
  try {
    for await (const row of rows) {
      if (isCommentRow(row)) continue
      columns = Math.max(columns, row.cells.length)
      if (!headings) {
        headings = row.cells
        continue
      }
      rowCount++
      const notes = row.notes ? escapeCopyText(JSON.stringify(row.notes)) : '\\N'
      lines += `${importId}\t${row.row}\t${secrets.seal(JSON.stringify(row.cells))}\t${notes}\n`
      if (lines.length < CHUNK_CHARACTERS) continue
      await writeChunk(copy, lines)
      bytes += lines.length
      lines = ''
    }
  } catch (error) {
    copy.destroy()
    throw error
  }
  copy.end(lines)
  bytes += lines.length
  await once(copy, 'finish')
  const named = headings ?? []
  // A heading may be cut in the middle of a surrogate pair.
  const heading = (at: number) => (named[at] ?? '').slice(0, 100).toWellFormed()
  return { headings: Array.from({ length: columns }, (_, at) => heading(at)), rowCount, bytes }
}

async function writeChunk(copy: Writable, line: string): Promise<void> {
  if (!copy.write(line)) await once(copy, 'drain')
}
