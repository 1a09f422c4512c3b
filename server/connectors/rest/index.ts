import type { OutgoingFetch } from '../../platform/outgoing-fetch.ts'
import { countRepeated, countRows, inBatches, splitColumns } from '../counted-rows.service.ts'
import { type OpenSource, SourceFault, type SourceSettings, type Wait } from '../data-source.types.ts'
import { createRestCall } from './rest-call.service.ts'
import { readPages } from './rest-pages.service.ts'
import { flatten, toRow } from './rest-rows.rules.ts'

/** Rows of the first page by which the columns are found. */
const LOOKED_AT = 200

/**
 * Reads an API that answers JSON, page by page. If it is written to meanwhile, the result is not one snapshot.
 * @throws SourceFault.
 */
export async function openRest(settings: SourceSettings, fetch: OutgoingFetch, wait?: Wait): Promise<OpenSource> {
  const { options } = settings
  const addresses: Readonly<Record<string, string>> = {
    people: options.url,
    ...(options.departmentsUrl !== '' && { departments: options.departmentsUrl }),
  }
  const call = await createRestCall(settings, fetch, { wait })
  const pagesOf = (table: string) => {
    const address = Object.hasOwn(addresses, table) ? addresses[table] : undefined
    if (address === undefined) throw new SourceFault('no-table', table)
    return readPages(call, address, options)
  }
  async function* rowsOf(table: string, columns: readonly string[]) {
    for await (const page of pagesOf(table)) for (const row of page) yield toRow(flatten(row), columns)
  }
  const read: OpenSource['read'] = async function* (table, columns, most) {
    if (most === undefined) await refuseUnknown(table, columns)
    yield* inBatches(rowsOf(table, columns), most)
  }
  async function columnsOf(table: string): Promise<string[]> {
    const found = new Set(splitColumns(options.columns))
    for await (const page of pagesOf(table)) {
      for (const row of page.slice(0, LOOKED_AT)) for (const name of flatten(row).keys()) found.add(name)
      break
    }
    return [...found]
  }
  /** A column that no row has any more would clear everybody's value. */
  async function refuseUnknown(table: string, columns: readonly string[]): Promise<void> {
    const known = new Set(await columnsOf(table))
    const unknown = columns.find((name) => !known.has(name))
    if (unknown !== undefined) throw new SourceFault('no-column', unknown)
  }
  return {
    server: `REST ${new URL(options.url).host}`,
    isEncrypted: Object.values(addresses).every((address) => address.startsWith('https:')),
    async tables() {
      // Whether anybody answers is known only once something was requested.
      for await (const _ of pagesOf('people')) break
      return Object.keys(addresses)
    },
    columns: async (table) => (await columnsOf(table)).map((name) => ({ name, type: 'text' })),
    mayWrite: async () => null,
    count: (table) => countRows(read(table, [])),
    repeated: (table, column) => countRepeated(read, table, column),
    read,
    close: async () => {},
  }
}
