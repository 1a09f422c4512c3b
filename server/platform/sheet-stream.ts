import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'

type Sheet = {
  format: 'csv' | 'xlsx'
  /** The name of the sheet. */
  title: string
  /** Strings; the first row is the heading. Read as the file is sent. */
  rows: AsyncIterable<string[]>
}

export const SHEET_TYPES = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/** A table as a spreadsheet file, generated while it is sent. Every cell is text and stays unchanged. */
export async function createSheetStream({
  format,
  title,
  rows,
}: Sheet): Promise<{ stream: Readable; contentType: string }> {
  const stream =
    format === 'csv'
      ? Readable.from(toCsv(rows))
      : Readable.fromWeb(
          (await import('hucre/xlsx')).writeXlsxStream(cleanRows(rows), {
            name: sheetName(title),
            freezePane: { rows: 1 },
          }) as unknown as ReadableStream,
        )
  return { stream, contentType: SHEET_TYPES[format] }
}

/** Characters that are sent together. */
const CHUNK_LENGTH = 64 * 1024

async function* toCsv(rows: AsyncIterable<string[]>): AsyncIterable<string> {
  // Without a byte order mark, Excel assumes the computer's code page.
  let text = '\ufeff'
  let end = ''
  for await (const row of rows) {
    text += end + row.map(formatCsvCell).join(',')
    end = '\r\n'
    if (text.length < CHUNK_LENGTH) continue
    yield text
    text = ''
  }
  yield text
}

/** Also quotes characters that other programs use as separators. */
function formatCsvCell(text: string): string {
  const safe = escapeFormula(text)
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

async function* cleanRows(rows: AsyncIterable<string[]>) {
  for await (const row of rows) yield row.map(cleanText)
}

/** Without what neither format can represent; line breaks stay. */
const cleanText = (text: string): string =>
  text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '').replace(/\p{Surrogate}/gu, '\ufffd')

/**
 * A spreadsheet evaluates a csv cell that starts like a formula: an apostrophe keeps it text. A program that separates only at `;` or tabs
 * ignores quotes inside a line, so whatever follows a separator, or starts a line, is a cell to it.
 */
const escapeFormula = (text: string): string => {
  const clean = cleanText(text).replace(/(?<=[;\t\r\n][\s\ufeff]*)[=+\-@|＝＋－＠]/g, "'$&")
  return /^[\s\ufeff]*[=+\-@|＝＋－＠]|^[\t\r\n]/.test(clean) ? `'${clean}` : clean
}

/** Excel's own rule for names of sheets. */
const sheetName = (title: string): string => title.replace(/[[\]:*?/\\]/g, ' ').slice(0, 31) || 'Sheet1'
