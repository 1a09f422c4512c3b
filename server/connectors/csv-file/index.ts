import { readSheet, type SheetRow } from '../../platform/spreadsheet/read-sheet.ts'
import { countRepeated, countRows, inBatches } from '../counted-rows.service.ts'
import { MAX_SOURCE_VALUE, type OpenSource, SourceFault } from '../data-source.types.ts'

/** Limits of a file of people. */
const FILE_LIMITS = {
  maxRows: 200_000,
  maxColumns: 256,
  maxCellLength: MAX_SOURCE_VALUE,
  maxRowLength: 10_000,
  maxFileLength: 100_000_000,
}

/** The one table of a file. */
export const FILE_TABLE = 'file'

/** Stands for a cell whose original value is unknown: imports reject it as damaged. */
const LOST = '\ufffd'

const toCells = ({ cells, notes }: SheetRow): string[] => cells.map((cell, at) => (notes?.[at] ? LOST : cell))

/** Does a csv file end in the middle of a line? */
const endsOpen = (bytes: Buffer): boolean => !/[\n\r]/.test(bytes.subarray(-2).toString('latin1'))

/**
 * Reads a csv or xlsx file as a source; the first row contains the names of the columns.
 * @param isWhole the file is known to be complete; otherwise an incomplete last line means that it is still being written. @throws Refusal
 *   `sheet.*`; while it is read SourceFault `unfinished`.
 */
export async function openFile(bytes: Buffer, isWhole = true): Promise<OpenSource> {
  const open = async () => {
    const sheet = await readSheet(bytes, FILE_LIMITS)
    return { format: sheet.format, encoding: sheet.encoding, rows: sheet.rows[Symbol.asyncIterator]() }
  }
  const { format, encoding, rows } = await open()
  const headings = toCells((await rows.next()).value ?? { cells: [], notes: null }).map((name) => name.trim())
  await rows.return?.()
  const mayBeCut = !isWhole && format === 'csv' && endsOpen(bytes)
  async function* rowsOf(columns: readonly string[]): AsyncGenerator<string[]> {
    const indexes = columns.map((name) => headings.indexOf(name))
    if (indexes.includes(-1)) throw new SourceFault('no-column', columns[indexes.indexOf(-1)])
    const again = await open()
    await again.rows.next()
    let width = headings.length
    for await (const row of { [Symbol.asyncIterator]: () => again.rows }) {
      const cells = toCells(row)
      width = cells.length
      yield indexes.map((at) => cells[at] ?? '')
    }
    if (mayBeCut && width < headings.length) throw new SourceFault('unfinished')
  }
  const read: OpenSource['read'] = (_table, columns, most) => inBatches(rowsOf(columns), most)
  return {
    server: format === 'csv' ? `CSV ${encoding}` : 'XLSX',
    isEncrypted: true,
    tables: async () => [FILE_TABLE],
    columns: async () => headings.filter(Boolean).map((name) => ({ name, type: 'text' })),
    mayWrite: async () => false,
    count: () => countRows(read(FILE_TABLE, headings.filter(Boolean).slice(0, 1))),
    repeated: (table, column) => countRepeated(read, table, column),
    read,
    close: async () => {},
  }
}
