import type { CellNote } from './sheet-row.ts'

export type CellStyle = { isDate: boolean /** Digits to pad to with zeros; 0: none. */; digits: number }

/** A spreadsheet keeps 15 digits of a number, and makes up the others. */
const EXACT_BELOW = 1e15

/** A number cell as displayed: in full, never in scientific notation, with the leading zeros of its format. */
export function formatNumber(
  stored: string,
  { isDate, digits }: CellStyle,
  is1904: boolean,
): { text: string; note?: CellNote } {
  const value = Number(stored)
  if (!Number.isFinite(value)) return { text: stored, note: 'error' }
  if (isDate) return formatDate(value, is1904)
  if (Math.abs(value) >= EXACT_BELOW) return { text: formatInteger(value), note: 'inexact' }
  const text = Math.abs(value) < 1e-6 && value !== 0 ? value.toFixed(15).replace(/0+$/, '') : String(value)
  return { text: digits > 0 && Number.isInteger(value) && value >= 0 ? text.padStart(digits, '0') : text }
}

const formatInteger = (value: number): string => (Math.abs(value) < 1e60 ? BigInt(value).toString() : String(value))

/** The days count from the end of 1899, with a 29 February 1900 that never existed, or from 1904. */
function formatDate(serial: number, is1904: boolean): { text: string; note?: CellNote } {
  if (serial < 0 || serial > 2_958_465) return { text: String(serial), note: 'error' }
  const start = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, serial < 60 ? 31 : 30)
  const iso = new Date(start + Math.round(serial * 86_400) * 1000).toISOString()
  return { text: Number.isInteger(serial) ? iso.slice(0, 10) : iso.slice(0, 19).replace('T', ' ') }
}

/** Formats that spreadsheets know by number alone, including the East Asian ones. */
const BUILT_IN_DATES: readonly [number, number][] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
]

/** Spreadsheets themselves accept no longer pattern. */
const MAX_FORMAT_LENGTH = 255

export function parseStyle(formatId: number, code: string | undefined): CellStyle {
  if (code === undefined || code.length > MAX_FORMAT_LENGTH) {
    return { isDate: BUILT_IN_DATES.some(([from, to]) => formatId >= from && formatId <= to), digits: 0 }
  }
  // Literal text and colours in a format are not part of the pattern: "年" and [Red] contain letters too.
  const pattern = code.replace(/"[^"]*"|\\.|_.|\*.|\[[^\]]*\]/g, '')
  const zeros = /^0+$/.exec(pattern)
  return { isDate: !/general/i.test(pattern) && /[ymdhs]/i.test(pattern), digits: zeros ? zeros[0].length : 0 }
}
