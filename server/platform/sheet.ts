import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'

type Sheet = {
  format: 'csv' | 'xlsx'
  /** The name of the sheet. */
  title: string
  /** Texts; the first row is the heading. Read as the file is taken. */
  rows: AsyncIterable<string[]>
}

const CONTENT_TYPES = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/** A table as a file that a spreadsheet opens, made while it is sent. Every cell is text and stays what it was. */
export async function sheetStream({ format, title, rows }: Sheet): Promise<{ stream: Readable; contentType: string }> {
  const stream =
    format === 'csv'
      ? // Excel takes a file without a mark for the code page of its own computer.
        (await import('hucre/csv')).writeCsvStream(cleaned(rows, neutralised), { bom: true, headers: false })
      : (await import('hucre/xlsx')).writeXlsxStream(cleaned(rows, cleanText), {
          name: sheetName(title),
          freezePane: { rows: 1 },
        })
  return { stream: Readable.fromWeb(stream as unknown as ReadableStream), contentType: CONTENT_TYPES[format] }
}

async function* cleaned(rows: AsyncIterable<string[]>, clean: (text: string) => string) {
  for await (const row of rows) yield row.map(clean)
}

/** Without what neither format can hold; a line break stays. */
const cleanText = (text: string): string =>
  text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '').replace(/\p{Surrogate}/gu, '\ufffd')

/** A spreadsheet computes a cell of a csv file that starts like a formula: an apostrophe makes it the text that it is. */
const neutralised = (text: string): string => {
  const clean = cleanText(text)
  return /^[\s\ufeff]*[=+\-@|＝＋－＠]|^[\t\r\n]/.test(clean) ? `'${clean}` : clean
}

/** Excel's own rule for names of sheets. */
const sheetName = (title: string): string => title.replace(/[[\]:*?/\\]/g, ' ').slice(0, 31) || 'Sheet1'
