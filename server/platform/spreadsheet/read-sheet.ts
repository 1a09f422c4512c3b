import { encodingOf, readCsv, separatorOf } from './read-csv.ts'
import { readXlsx } from './read-xlsx.ts'

export type { CellNote, SheetRow } from './sheet-row.ts'

import type { SheetBounds, SheetRow } from './sheet-row.ts'
import { errors } from './spreadsheet.errors.ts'

type ReadSheet = {
  format: 'csv' | 'xlsx'
  /** Of a csv file. */
  encoding: string
  separator: string
  /** Those that hold anything. @throws Refusal in the middle of it when the file turns out broken or too large. */
  rows: AsyncIterable<SheetRow>
}

const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const ZIP = Buffer.from('PK\x03\x04')

/**
 * Reads a table out of a file of unknown origin, by what is in it and never by its name, and gives way to other work every few
 * milliseconds. @throws Refusal `sheet.*`, here or while the rows are read.
 */
export async function readSheet(bytes: Buffer, bounds: SheetBounds): Promise<ReadSheet> {
  if (bytes.length === 0) throw errors['sheet.empty']()
  if (bytes.subarray(0, 8).equals(OLE)) {
    const isEncrypted = bytes.includes(Buffer.from('EncryptedPackage', 'utf16le'))
    throw errors[isEncrypted ? 'sheet.encrypted' : 'sheet.old-excel']()
  }
  if (bytes.subarray(0, 4).equals(ZIP)) {
    return { format: 'xlsx', encoding: '', separator: '', rows: counted(readXlsx(bytes, bounds), bounds) }
  }
  // A web page with a table, which some programs save as .xls; a PDF.
  if (/^\s*(<|%PDF-|\{\\rtf)/.test(bytes.subarray(0, 200).toString('latin1').replace(/^ï»¿/, ''))) {
    throw errors['sheet.not-a-sheet']()
  }
  const { encoding, start } = await encodingOf(bytes)
  const separator = separatorOf(bytes, encoding, start)
  const rows = readCsv(bytes, { encoding, start, separator, bounds })
  return { format: 'csv', encoding, separator, rows: counted(rows, bounds) }
}

async function* counted(rows: AsyncIterable<SheetRow>, { mostRows, mostOfRow, mostOfFile }: SheetBounds) {
  let seen = 0
  let size = 0
  for await (const row of rows) {
    // The first one is the heading.
    if (seen++ > mostRows) throw errors['sheet.too-many-rows']({ params: { most: mostRows } })
    const own = sizeOf(row)
    if (own > mostOfRow) throw errors['sheet.row-too-long']({ params: { row: row.row, most: mostOfRow } })
    size += own
    if (size > mostOfFile) throw errors['sheet.too-much-text']({ params: { most: Math.floor(mostOfFile / 1_000_000) } })
    yield row
  }
  if (seen === 0) throw errors['sheet.empty']()
}

/** Quotes and comma around a cell, and a note with its column. */
const CELL = 3
const NOTE = 16

/** The characters that it takes to keep a row: one text of a workbook may stand in every cell, and empty cells are cells. */
function sizeOf({ cells, notes }: SheetRow): number {
  let size = 0
  for (const cell of cells) size += cell.length + CELL
  return notes ? size + NOTE * Object.keys(notes).length : size
}
