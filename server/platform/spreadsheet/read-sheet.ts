import { detectEncoding, detectSeparator, readCsv } from './read-csv.ts'
import { readXlsx } from './read-xlsx.ts'

export type { CellNote, SheetRow } from './sheet-row.ts'

import type { SheetLimits, SheetRow } from './sheet-row.ts'
import { errors } from './spreadsheet.errors.ts'

type ReadSheet = {
  format: 'csv' | 'xlsx'
  /** For a csv file. */
  encoding: string
  separator: string
  /** The non-empty rows. @throws Refusal while iterating if the file turns out broken or too large. */
  rows: AsyncIterable<SheetRow>
}

const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const ZIP = Buffer.from('PK\x03\x04')

/**
 * Reads a table from an untrusted file, by its content and never by its name, and yields to other work every few milliseconds. @throws
 * Refusal `sheet.*`, here or while the rows are read.
 */
export async function readSheet(bytes: Buffer, bounds: SheetLimits): Promise<ReadSheet> {
  if (bytes.length === 0) throw errors['sheet.empty']()
  if (bytes.subarray(0, 8).equals(OLE)) {
    const isEncrypted = bytes.includes(Buffer.from('EncryptedPackage', 'utf16le'))
    throw errors[isEncrypted ? 'sheet.encrypted' : 'sheet.old-excel']()
  }
  if (bytes.subarray(0, 4).equals(ZIP)) {
    return { format: 'xlsx', encoding: '', separator: '', rows: withinLimits(readXlsx(bytes, bounds), bounds) }
  }
  // A web page with a table, which some programs save as .xls; a PDF.
  if (/^\s*(<|%PDF-|\{\\rtf)/.test(bytes.subarray(0, 200).toString('latin1').replace(/^ï»¿/, ''))) {
    throw errors['sheet.not-a-sheet']()
  }
  const { encoding, start } = await detectEncoding(bytes)
  const separator = detectSeparator(bytes, encoding, start)
  const rows = readCsv(bytes, { encoding, start, separator, bounds })
  return { format: 'csv', encoding, separator, rows: withinLimits(rows, bounds) }
}

async function* withinLimits(rows: AsyncIterable<SheetRow>, { maxRows, maxRowLength, maxFileLength }: SheetLimits) {
  let seen = 0
  let size = 0
  for await (const row of rows) {
    // The first one is the heading.
    if (seen++ > maxRows) throw errors['sheet.too-many-rows']({ params: { most: maxRows } })
    const own = rowLength(row)
    if (own > maxRowLength) throw errors['sheet.row-too-long']({ params: { row: row.row, most: maxRowLength } })
    size += own
    if (size > maxFileLength)
      throw errors['sheet.too-much-text']({ params: { most: Math.floor(maxFileLength / 1_000_000) } })
    yield row
  }
  if (seen === 0) throw errors['sheet.empty']()
}

/** Quotes and comma around a cell, and a note with its column. */
const CELL_OVERHEAD = 3
const NOTE_OVERHEAD = 16

/** The characters needed to store a row: one shared text of a workbook may be in every cell, and empty cells count too. */
function rowLength({ cells, notes }: SheetRow): number {
  let size = 0
  for (const cell of cells) size += cell.length + CELL_OVERHEAD
  return notes ? size + NOTE_OVERHEAD * Object.keys(notes).length : size
}
