import { once } from 'node:events'
import type { Writable } from 'node:stream'
import type { Context } from '../../platform/platform.ts'
import type { SheetRow } from '../../platform/spreadsheet/read-sheet.ts'

const escaped = (text: string): string => text.replace(/[\\\n\r\t]/g, (sign) => ESCAPES[sign] ?? '')
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

type Staged = { headings: string[]; rowCount: number; bytes: number }

/** Characters that are sent together. */
const PIECE = 64 * 1024

/** A row that says how to fill in the file, or shows it: the template brings some. */
const isRemark = ({ cells }: SheetRow): boolean => (cells.find((cell) => cell !== '') ?? '').startsWith('#')

/** Copies the rows below the heading into the staging table as they are read, the texts sealed; memory stays what a row takes. */
export async function stageRows(ctx: Context, importId: string, rows: AsyncIterable<SheetRow>): Promise<Staged> {
  const { db, secrets } = ctx
  const copy = await db`copy user_import_rows (import_id, row, cells, notes) from stdin`.writable()
  let headings: string[] | null = null
  let rowCount = 0
  let columns = 0
  let lines = ''
  let bytes = 0
  try {
    for await (const row of rows) {
      if (isRemark(row)) continue
      columns = Math.max(columns, row.cells.length)
      if (!headings) {
        headings = row.cells
        continue
      }
      rowCount++
      const notes = row.notes ? escaped(JSON.stringify(row.notes)) : '\\N'
      lines += `${importId}\t${row.row}\t${secrets.seal(JSON.stringify(row.cells))}\t${notes}\n`
      if (lines.length < PIECE) continue
      await write(copy, lines)
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
  // A heading may be cut in the middle of a sign.
  const heading = (at: number) => (named[at] ?? '').slice(0, 100).toWellFormed()
  return { headings: Array.from({ length: columns }, (_, at) => heading(at)), rowCount, bytes }
}

async function write(copy: Writable, line: string): Promise<void> {
  if (!copy.write(line)) await once(copy, 'drain')
}
