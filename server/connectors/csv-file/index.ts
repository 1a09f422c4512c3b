import { readSheet, type SheetRow } from '../../platform/spreadsheet/read-sheet.ts'
import { countRepeated, countRows } from '../counted-rows.service.ts'
import { MAX_SOURCE_VALUE, type OpenSource, SOURCE_BATCH, SourceFault } from '../data-source.types.ts'

/** Bounds of a file of people. */
const FILE_LIMITS = {
  maxRows: 200_000,
  maxColumns: 256,
  maxCellLength: MAX_SOURCE_VALUE,
  maxRowLength: 10_000,
  maxFileLength: 100_000_000,
}

/** The one table of a file. */
export const FILE_TABLE = 'file'

/** For a cell that nobody typed as it stands: whoever reads people refuses it as one that got lost. */
const LOST = '\ufffd'

const toCells = ({ cells, notes }: SheetRow): string[] => cells.map((cell, at) => (notes?.[at] ? LOST : cell))

/** Reads a csv or xlsx file as a source; the first row has the names of the columns. @throws Refusal `sheet.*`. */
export async function openFile(bytes: Buffer): Promise<OpenSource> {
  const open = async () => {
    const sheet = await readSheet(bytes, FILE_LIMITS)
    return { format: sheet.format, encoding: sheet.encoding, rows: sheet.rows[Symbol.asyncIterator]() }
  }
  const { format, encoding, rows } = await open()
  const headings = toCells((await rows.next()).value ?? { cells: [], notes: null }).map((name) => name.trim())
  await rows.return?.()
  async function* read(_table: string, columns: readonly string[], most = Number.POSITIVE_INFINITY) {
    const places = columns.map((name) => headings.indexOf(name))
    if (places.includes(-1)) throw new SourceFault('no-column', columns[places.indexOf(-1)])
    const again = await open()
    await again.rows.next()
    let batch: string[][] = []
    let seen = 0
    for await (const row of { [Symbol.asyncIterator]: () => again.rows }) {
      if (seen++ >= most) break
      const cells = toCells(row)
      batch.push(places.map((at) => cells[at] ?? ''))
      if (batch.length < SOURCE_BATCH) continue
      yield batch
      batch = []
    }
    if (batch.length > 0) yield batch
  }
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
