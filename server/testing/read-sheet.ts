import { Refusal } from '../platform/errors.ts'
import { readSheet, type SheetRow } from '../platform/spreadsheet/read-sheet.ts'

export const BOUNDS = {
  maxRows: 1000,
  maxColumns: 256,
  maxCellLength: 2000,
  maxRowLength: 10_000,
  maxFileLength: 1_000_000,
}

export async function rowsOf(bytes: Buffer | string): Promise<SheetRow[]> {
  const rows: SheetRow[] = []
  for await (const row of (await readSheet(Buffer.from(bytes as string), BOUNDS)).rows) rows.push(row)
  return rows
}
export const cellsOf = async (bytes: Buffer | string) => (await rowsOf(bytes)).map(({ cells }) => cells)
export const refusalOf = async (bytes: Buffer | string) =>
  await rowsOf(bytes).then(
    () => 'none',
    (error) => (error instanceof Refusal ? error.code : String(error)),
  )
