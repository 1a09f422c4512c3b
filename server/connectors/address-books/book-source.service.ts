import { countRepeated, countRows, inBatches, within } from '../counted-rows.service.ts'
import { MAX_SOURCE_VALUE, type OpenSource, SourceFault } from '../data-source.types.ts'
import { flatten, toRow } from '../rest/rest-rows.rules.ts'
import type { BookItem, BookReader } from './book-source.types.ts'

/** Rows read to find further columns. */
const LOOKED_AT = 200

const toValues = (item: BookItem, columns: readonly string[]): string[] =>
  toRow(flatten(item), columns).map((value) => value.slice(0, MAX_SOURCE_VALUE))

/** Is somebody in one of these departments? */
export const isInOne = (departments: unknown, ids: ReadonlySet<string>): boolean =>
  Array.isArray(departments) && departments.some((id) => ids.has(String(id)))

const TABLES = ['people', 'departments'] as const

/**
 * An address book as a source. A department that can't be read makes the read fail, so that nobody seems to be missing.
 * @throws SourceFault.
 */
export async function openBookSource(book: BookReader): Promise<OpenSource> {
  await book.connect()
  const tableOf = (table: string) => {
    const found = TABLES.find((name) => name === table)
    if (!found) throw new SourceFault('no-table', table)
    return found
  }
  async function* rowsOf(table: string, columns: readonly string[]) {
    for await (const row of book[tableOf(table)]()) yield toValues(row, columns)
  }
  const read: OpenSource['read'] = (table, columns, most) => inBatches(rowsOf(table, columns), most)
  const columns: OpenSource['columns'] = async (table, withinMs = Number.POSITIVE_INFINITY) => {
    const names = new Set(book.known[tableOf(table)])
    let seen = 0
    const rows = book[tableOf(table)]()
    for await (const row of Number.isFinite(withinMs) ? within(rows, withinMs) : rows) {
      for (const name of flatten(row).keys()) names.add(name)
      if (++seen >= LOOKED_AT) break
    }
    return [...names].map((name) => ({ name, type: 'text' }))
  }
  async function* named(wanted: readonly string[], ids: readonly string[]) {
    let missing: readonly string[] = wanted.filter((name) => !book.known.people.includes(name))
    let isAnybody = false
    for (const id of ids) {
      const item = await book.person(id)
      if (!item) continue
      isAnybody = true
      const given = flatten(item)
      missing = missing.filter((name) => !given.has(name))
      yield toValues(item, wanted)
    }
    if (!isAnybody || missing.length === 0) return
    // A vendor leaves out what is empty: what none of these has, others may have.
    const known = (await columns('people')).map(({ name }) => name)
    const gone = missing.find((name) => !known.includes(name))
    if (gone !== undefined) throw new SourceFault('no-column', gone)
  }
  return {
    server: book.server,
    isEncrypted: book.isEncrypted,
    tables: async () => [...TABLES],
    columns,
    mayWrite: async () => null,
    count: (table) => countRows(read(table, [])),
    repeated: (table, column) => countRepeated(read, table, column),
    read,
    named: (wanted, ids) => inBatches(named(wanted, ids)),
    rows: rowsOf,
    close: async () => {},
  }
}
