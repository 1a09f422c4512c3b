import { type MergedArea, parseCellReference, readMergedAreas } from './merged-cells.ts'
import { appendBounded, cellText, readStrings, type SharedStrings } from './shared-strings.ts'
import type { CellNote, SheetLimits, SheetRow } from './sheet-row.ts'
import { errors } from './spreadsheet.errors.ts'
import { createWorkBudget } from './work-budget.ts'
import { type CellStyle, formatNumber } from './xlsx-numbers.ts'
import { openWorkbook, readStyles } from './xlsx-parts.ts'
import { readAttribute, readXml, type XmlHandler } from './xml-events.ts'
import { openZip } from './zip-archive.ts'

/** Far more than 200,000 rows of thirty columns need. */
const MAX_SHEET_BYTES = 700 * 1024 * 1024

type SheetContext = {
  strings: SharedStrings
  styles: CellStyle[]
  is1904: boolean
  merged: MergedArea[]
  /** Into the merged areas: the first that no row has reached, and those that contain the current row. */
  next: number
  reached: MergedArea[]
  bounds: SheetLimits
}

type Cell = { column: number; type: string; style: number; value: string; hasFormula: boolean }

/**
 * The rows of the first sheet of a workbook, as they are unpacked. The reader of our spreadsheet library does not report what matters here:
 * which cells are formulas or merged, and the digits of a number as written in the file.
 */
export async function* readXlsx(bytes: Buffer, bounds: SheetLimits): AsyncIterable<SheetRow> {
  const zip = await openZip(bytes)
  const budget = createWorkBudget()
  const { sheet, strings, styles, is1904 } = await openWorkbook(zip, budget)
  const known = {
    merged: await readMergedAreas(zip.read(sheet, MAX_SHEET_BYTES), budget),
    next: 0,
    reached: [],
    strings: await readStrings(zip, strings, bounds.maxCellLength, budget),
    styles: await readStyles(zip, styles, budget),
    is1904,
    bounds,
  }
  const rows: SheetRow[] = []
  const handler = sheetHandler(known, (row) => {
    rows.push(row)
    budget.creditRow(row.cells.length)
  })
  for await (const _ of readXml(zip.read(sheet, MAX_SHEET_BYTES), handler, budget)) yield* rows.splice(0)
  yield* rows
}

function sheetHandler(known: SheetContext, onRow: (row: SheetRow) => void): XmlHandler {
  let row: SheetRow | null = null
  let number = 0
  let cell: Cell | null = null
  let column = 0
  /** Open elements that hold a cell's value, and phonetic readings of Japanese text, which don't. */
  const inside = { v: false, t: false, rPh: false }
  const { maxCellLength } = known.bounds
  const opening = new Map<string, (attributes: string) => void>([
    [
      'row',
      (attributes) => {
        number = rowNumber(readAttribute(attributes, 'r'), number)
        row = { row: number, cells: [], notes: null }
        column = 0
      },
    ],
    [
      'c',
      (attributes) => {
        cell = row ? cellAt(attributes, column) : null
        column = cell?.column ?? column
      },
    ],
    [
      'f',
      () => {
        if (cell) cell.hasFormula = true
      },
    ],
  ])
  const closing = new Map<string, () => void>([
    [
      'row',
      () => {
        if (row) markMerged(row, known)
        if (row && row.cells.length > 0) onRow(row)
        row = null
      },
    ],
    [
      'c',
      () => {
        if (cell && row) addCell(row, cell, known)
        cell = null
      },
    ],
  ])
  return {
    open(name, attributes) {
      if (name === 'v' || name === 't' || name === 'rPh') inside[name] = true
      else opening.get(name)?.(attributes)
    },
    close(name) {
      if (name === 'v' || name === 't' || name === 'rPh') inside[name] = false
      else closing.get(name)?.()
    },
    text(piece) {
      if (!cell || inside.rPh || !(inside.v || inside.t)) return
      cell.value = appendBounded(cell.value, piece, maxCellLength)
    },
  }
}

function rowNumber(written: string | null, former: number): number {
  const number = written === null ? former + 1 : Number(written)
  if (!Number.isInteger(number) || number <= former || number > 1_048_576) throw errors['sheet.broken']()
  return number
}

function cellAt(attributes: string, former: number): Cell {
  const reference = readAttribute(attributes, 'r')
  const column = reference === null ? former + 1 : parseCellReference(reference)?.column
  if (column === undefined || column <= former) throw errors['sheet.broken']()
  return {
    column,
    type: readAttribute(attributes, 't') ?? 'n',
    style: Number(readAttribute(attributes, 's') ?? -1),
    value: '',
    hasFormula: false,
  }
}

const PLAIN: CellStyle = { isDate: false, digits: 0 }

function addCell(row: SheetRow, cell: Cell, known: SheetContext): void {
  const { text, note } = textOf(cell, known)
  // Shared texts are already unescaped.
  const shown = cell.type === 's' ? text : cellText(text, known.bounds.maxCellLength)
  const why = cell.hasFormula ? 'formula' : note
  if (shown === '' && !why) return
  if (cell.column > known.bounds.maxColumns)
    throw errors['sheet.too-many-columns']({ params: { most: known.bounds.maxColumns } })
  while (row.cells.length < cell.column - 1) row.cells.push('')
  row.cells[cell.column - 1] = shown
  if (!why) return
  row.notes ??= {}
  row.notes[cell.column - 1] = why
}

function textOf(cell: Cell, { strings, styles, is1904 }: SheetContext): { text: string; note?: CellNote } {
  const { type, value } = cell
  if (value === '') return { text: '' }
  switch (type) {
    case 's': {
      const text = strings.at(Number(value))
      if (text === undefined) throw errors['sheet.broken']()
      return { text }
    }
    case 'inlineStr':
    case 'str':
      return { text: value }
    case 'b':
      return { text: value === '1' ? 'TRUE' : 'FALSE' }
    case 'e':
      return { text: value, note: 'error' }
    case 'd':
      return { text: value.replace(/T00:00:00(\.0+)?Z?$/, '').replace('T', ' ') }
    default:
      return formatNumber(value, styles[cell.style] ?? PLAIN, is1904)
  }
}

/**
 * Rows come in order, and so do the areas: those that a row has reached are held in `reached` until it is past them. No two areas share a
 * cell, so a file in which they cover more than the columns of a row was made to keep us busy.
 */
function markMerged(row: SheetRow, known: SheetContext): void {
  const { merged, bounds } = known
  while (known.next < merged.length && (merged[known.next]?.fromRow ?? 0) <= row.row) {
    const area = merged[known.next++]
    if (area && area.fromColumn <= bounds.maxColumns && area.toRow >= row.row) known.reached.push(area)
  }
  known.reached = known.reached.filter(({ toRow }) => toRow >= row.row)
  if (known.reached.length === 0) return
  const notes = { ...row.notes }
  let covered = 0
  for (const { fromColumn, toColumn } of known.reached) {
    const last = Math.min(toColumn, bounds.maxColumns)
    covered += last - fromColumn + 1
    if (covered > bounds.maxColumns) throw errors['sheet.broken']()
    for (let column = fromColumn; column <= last; column++) notes[column - 1] ??= 'merged'
  }
  row.notes = notes
}
