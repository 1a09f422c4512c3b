import {
  MAX_SOURCE_ROWS,
  MAX_SOURCE_VALUE,
  type OpenSource,
  SOURCE_BATCH,
  type SourceColumn,
  SourceFault,
} from './data-source.types.ts'

type Read = OpenSource['read']

/** Counts the rows, for a source that can't count itself. */
export async function countRows(rows: AsyncIterable<string[][]>): Promise<number> {
  let count = 0
  for await (const batch of rows) count += batch.length
  return count
}

/** Counts values in several rows, and rows without one, for a source that can't count itself. */
export async function countRepeated(read: Read, table: string, column: string) {
  const seen = new Set<string>()
  let repeated = 0
  let empty = 0
  for await (const batch of read(table, [column])) {
    for (const [value = ''] of batch) {
      if (value === '') empty += 1
      else if (seen.has(value)) repeated += 1
      seen.add(value)
    }
  }
  return { repeated, empty }
}

/** All rows of a short answer. */
export async function collectRows(batches: AsyncIterable<string[][]>): Promise<string[][]> {
  const all: string[][] = []
  for await (const batch of batches) all.push(...batch)
  return all
}

/** Columns of a table in the order of these names. @throws SourceFault `no-column`. */
export function columnsNamed(columns: readonly SourceColumn[], names: readonly string[]): SourceColumn[] {
  const known = new Map(columns.map((column) => [column.name, column]))
  return names.map((name) => {
    const column = known.get(name)
    if (!column) throw new SourceFault('no-column', name)
    return column
  })
}

/** The same rows. @throws SourceFault `cut-off` at the end if their number is not the expected one. */
export async function* expectRows(
  batches: AsyncIterable<string[][]>,
  expected: number | null,
): AsyncGenerator<string[][]> {
  let seen = 0
  for await (const batch of batches) {
    seen += batch.length
    yield batch
  }
  if (expected !== null && seen !== expected) throw new SourceFault('cut-off', `${seen} / ${expected}`)
}

/**
 * Rows in batches, with too long values truncated, at most `most`.
 * @throws SourceFault `limited` if there are more.
 */
export async function* inBatches(
  rows: AsyncIterable<string[]>,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<string[][]> {
  let batch: string[][] = []
  let seen = 0
  // A few rows are passed on one by one, so that a reader has some even if the source falls silent.
  const size = Number.isFinite(most) ? 1 : SOURCE_BATCH
  for await (const row of rows) {
    seen += 1
    if (seen > MAX_SOURCE_ROWS) throw new SourceFault('limited', String(MAX_SOURCE_ROWS))
    batch.push(row.map((value) => value.slice(0, MAX_SOURCE_VALUE)))
    if (batch.length >= size) {
      yield batch
      batch = []
    }
    if (seen >= most) break
  }
  if (batch.length > 0) yield batch
}

/** What arrives within this many milliseconds; `isWhole` tells afterwards whether that was everything. */
export async function* within<T>(rows: AsyncGenerator<T>, milliseconds: number, told = { isWhole: true }) {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), milliseconds)
  })
  try {
    for (;;) {
      const next = rows.next()
      // An abandoned read ends on its own, and nobody waits for it.
      next.catch(() => {})
      const one = await Promise.race([next, late])
      if (one === null) told.isWhole = false
      if (one === null || one.done) return
      yield one.value
    }
  } finally {
    clearTimeout(timer)
  }
}

/** Column names as typed. */
export const splitColumns = (typed: string): string[] => splitTyped(typed, /[\s,;，；]+/)

/** The different parts of a text between separators. */
export const splitTyped = (typed: string, separators: RegExp): string[] => [
  ...new Set(
    typed
      .split(separators)
      .map((part) => part.trim())
      .filter(Boolean),
  ),
]
