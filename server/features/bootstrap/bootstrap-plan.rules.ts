import { isDeepStrictEqual } from 'node:util'

/** The writes that make the database match the document. */
export type RowPlan<Row> = { inserted: Row[]; updated: Row[]; unchanged: number }

export const emptyPlan = <Row>(): RowPlan<Row> => ({ inserted: [], updated: [], unchanged: 0 })

/** `row` with the given values; absent ones stay. */
export function mergeGiven<Row extends object>(row: Row, given: { [K in keyof Row]?: Row[K] | undefined }): Row {
  const values = Object.entries(given).filter(([, value]) => value !== undefined)
  return { ...row, ...Object.fromEntries(values) }
}

/** Classifies a row as new, changed or unchanged. */
export function addToPlan<Row extends object>(plan: RowPlan<Row>, before: Row | undefined, after: Row): void {
  if (!before) plan.inserted.push(after)
  else if (isDeepStrictEqual(before, after)) plan.unchanged += 1
  else plan.updated.push(after)
}

/** Rows per statement. */
const CHUNK = 5000

export function* inChunks<T>(rows: readonly T[], size = CHUNK): Generator<T[]> {
  for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size)
}

/** Maps with at most `lanes` running at a time, keeping the order. */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  concurrency: number,
  map: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = new Array(items.length)
  const left = items.entries()
  const lane = async () => {
    for (const [at, item] of left) results[at] = await map(item)
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, lane))
  return results
}
