/** Why the text of a cell is not what somebody typed into it. */
export type CellNote =
  /** A program computed it. */
  | 'formula'
  /** One value for several cells. */
  | 'merged'
  /** A number of more digits than a spreadsheet keeps: the last ones may be gone. */
  | 'inexact'
  /** `#N/A` and the like. */
  | 'error'

export type SheetRow = {
  /** As a spreadsheet counts them. */
  row: number
  cells: string[]
  /** By column, from 0 on. */
  notes: Record<number, CellNote> | null
}

export type SheetLimits = {
  maxRows: number
  maxColumns: number
  /** Of one cell: a longer one is cut behind the first sign that is too many. */
  maxCellLength: number
  /** Of all cells of a row, and of a file, with what it takes to keep them apart. */
  maxRowLength: number
  maxFileLength: number
}

/** What nobody typed on purpose: zero-width signs, marks of direction, the byte order mark in the middle, control characters. */
const INVISIBLE = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\ufffe\uffff]/g

/**
 * A cell without what can't be seen and without the spaces around it, the ideographic one too. Half of a sign, which no database
 * stores, stays as the mark of a sign that is lost: without it an account might be somebody else's.
 */
export const cleanCell = (text: string): string => text.replace(INVISIBLE, '').toWellFormed().trim()
