import { cleanCell } from '../../platform/spreadsheet/sheet-row.ts'

const MAX_KEY_LENGTH = 500

/** The key of a row as it is stored: cut, then made well-formed, because PostgreSQL rejects half a surrogate pair. */
export const cleanKey = (key: string): string => cleanCell(key).slice(0, MAX_KEY_LENGTH).toWellFormed()
