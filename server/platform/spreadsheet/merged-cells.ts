import { errors } from './spreadsheet.errors.ts'
import type { WorkBudget } from './work-budget.ts'
import { readAttribute, readXml } from './xml-events.ts'

export type MergedArea = { fromRow: number; toRow: number; fromColumn: number; toColumn: number }

const MAX_AREAS = 20_000

/** Column and row (both from 1 on) of `AB12`; null for anything else. */
export function parseCellReference(reference: string): { column: number; row: number } | null {
  let column = 0
  let at = 0
  for (; at < reference.length; at++) {
    const code = reference.charCodeAt(at) & ~32
    if (code < 65 || code > 90) break
    column = column * 26 + code - 64
  }
  const row = Number(reference.slice(at))
  const isPlace = at > 0 && at <= 3 && Number.isInteger(row) && row >= 1 && row <= 1_048_576 && column <= 16_384
  return isPlace ? { column, row } : null
}

/** The merged areas, which follow all cells of a sheet, but are needed before them. */
export async function readMergedAreas(pieces: AsyncIterable<Buffer>, budget: WorkBudget): Promise<MergedArea[]> {
  const areas: MergedArea[] = []
  const handler = {
    open(name: string, attributes: string) {
      if (name === 'mergeCell') areas.push(parseArea(readAttribute(attributes, 'ref') ?? ''))
      if (areas.length > MAX_AREAS) throw errors['sheet.too-big-inside']()
    },
    close() {},
    text() {},
  }
  for await (const _ of readXml(skipToMergedCells(pieces), handler, budget));
  return areas.sort((a, b) => a.fromRow - b.fromRow)
}

/** Starts at the list of merged cells; the bytes before are only scanned, which is fast. */
async function* skipToMergedCells(pieces: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  let tail: Buffer = Buffer.alloc(0)
  let isThere = false
  for await (const piece of pieces) {
    if (isThere) {
      yield piece
      continue
    }
    const joined = Buffer.concat([tail, piece])
    const at = joined.indexOf('mergeCells')
    isThere = at >= 0
    if (isThere) yield joined.subarray(Math.max(0, joined.lastIndexOf('<', at)))
    tail = Buffer.from(joined.subarray(-64))
  }
}

function parseArea(reference: string): MergedArea {
  const [first = '', last = first] = reference.split(':')
  const from = parseCellReference(first)
  const to = parseCellReference(last)
  if (!from || !to) throw errors['sheet.broken']()
  return { fromRow: from.row, toRow: to.row, fromColumn: from.column, toColumn: to.column }
}
