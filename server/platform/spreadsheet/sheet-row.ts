/** Why the text of a cell is not what somebody typed into it. */
export type CellNote =
  /** Computed by a program. */
  | 'formula'
  /** One value for several cells. */
  | 'merged'
  /** A number with more digits than a spreadsheet keeps: the last ones may be lost. */
  | 'inexact'
  /** `#N/A` and the like. */
  | 'error'

export type SheetRow = {
  /** Numbered as in a spreadsheet. */
  row: number
  cells: string[]
  /** By column, starting at 0. */
  notes: Record<number, CellNote> | null
}

export type SheetLimits = {
  maxRows: number
  maxColumns: number
  /** For one cell: a longer one is cut after the first character beyond. */
  maxCellLength: number
  /** For all cells of a row, and of a file, including the overhead of separating them. */
  maxRowLength: number
  maxFileLength: number
}

/** What nobody types on purpose: zero-width characters, direction marks, a byte order mark in the middle, control characters. */
const INVISIBLE = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\ufffe\uffff]/g

/**
 * A cell without invisible characters and surrounding spaces, including ideographic ones. Half a surrogate pair, which no database stores,
 * becomes the replacement character: dropping it could turn an account into somebody else's.
 */
export const cleanCell = (text: string): string => text.replace(INVISIBLE, '').toWellFormed().trim()
