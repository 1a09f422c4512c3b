import type { OutgoingFetch } from '../../platform/outgoing-fetch.ts'
import { countRepeated, countRows, inBatches, within } from '../counted-rows.service.ts'
import { type OpenSource, SourceFault, type SourceSettings, type Wait } from '../data-source.types.ts'
import { createRestCall, type RestCall } from '../rest/rest-call.service.ts'
import { atPath, toRow } from '../rest/rest-rows.rules.ts'
import { type ListUrl, readByCursor, readByIndex } from './scim-pages.service.ts'
import { flattenResource, type ScimResource, splitPaths, toColumn } from './scim-rows.rules.ts'

/** Resources by which the columns are found. */
const LOOKED_AT = 200
const LAST_MODIFIED = 'meta.lastModified'
const TABLES = ['people', 'groups'] as const
type Table = (typeof TABLES)[number]

const ENDPOINTS: Record<Table, string> = { people: 'Users', groups: 'Groups' }
/** Thousands of members would be sent with each group, which nobody reads. */
const PARAMETERS: Record<Table, Record<string, string>> = { people: {}, groups: { excludedAttributes: 'members' } }

/** Servers must know the first; some know only the second. */
const ACCEPT = 'application/scim+json, application/json;q=0.9'

/**
 * A SCIM 2.0 server (RFC 7643, RFC 7644) as a source of users and groups. If it is written to meanwhile, the result is not one snapshot.
 * @throws SourceFault.
 */
export async function openScim(settings: SourceSettings, fetch: OutgoingFetch, wait?: Wait): Promise<OpenSource> {
  const { options } = settings
  const call = await createRestCall(settings, fetch, { accept: ACCEPT, keywordOf: scimTypeOf, wait })
  const support = await readSupport(call, addressOf(options.url, 'ServiceProviderConfig', {}))
  // Also the login: a server may show its configuration to anybody.
  const { date } = await call(addressOf(options.url, ENDPOINTS.people, { startIndex: '1', count: '1' }))
  const filters: Record<Table, string> = { people: options.peopleFilter, groups: options.departmentFilter }
  const readList = support.cursor ? readByCursor : readByIndex

  const pagesOf = (name: string, since = ''): AsyncGenerator<ScimResource[]> => {
    const table = toTable(name)
    const filter = joinFilters(filters[table], since)
    const urlOf: ListUrl = (parameters) =>
      addressOf(options.url, ENDPOINTS[table], { ...PARAMETERS[table], ...(filter && { filter }), ...parameters })
    return readList(call, urlOf, options.pageSize)
  }
  async function* rowsOf(table: string, columns: readonly string[], since = '') {
    for await (const page of pagesOf(table, since)) for (const one of page) yield toRow(flattenResource(one), columns)
  }
  const columnsOf: OpenSource['columns'] = async (table, withinMs = Number.POSITIVE_INFINITY) => {
    const pages = pagesOf(table)
    const found = await findNames(Number.isFinite(withinMs) ? within(pages, withinMs) : pages)
    return [...new Set(['id', ...splitPaths(options.columns), ...found])].map(toColumn)
  }
  const read: OpenSource['read'] = (table, columns, most) => inBatches(rowsOf(table, columns), most)
  return {
    server: `SCIM ${new URL(options.url).host}`,
    isEncrypted: options.url.startsWith('https:'),
    tables: async () => [...TABLES],
    columns: columnsOf,
    mayWrite: async () => null,
    count: (table) => countRows(read(table, [])),
    repeated: (table, column) => countRepeated(read, table, column),
    read,
    rows: rowsOf,
    ...(support.filter && {
      changes: {
        // By the server's clock, before anything is read: not every server can sort.
        latest: async (_table, column) => (column === LAST_MODIFIED ? toCursor(date) : null),
        readSince: (table, columns, { value }) =>
          inBatches(rowsOf(table, columns, `${LAST_MODIFIED} ge "${toMoment(value)}"`)),
      },
    }),
    close: async () => {},
  }
}

/** The names in the first resources. */
async function findNames(pages: AsyncIterable<readonly ScimResource[]>): Promise<Set<string>> {
  const found = new Set<string>()
  let seen = 0
  for await (const page of pages) {
    for (const name of page.flatMap((one) => [...flattenResource(one).keys()])) found.add(name)
    seen += page.length
    if (seen >= LOOKED_AT) break
  }
  return found
}

function toTable(name: string): Table {
  const table = TABLES.find((one) => one === name)
  if (!table) throw new SourceFault('no-table', name)
  return table
}

/** Parameters that the address has itself are kept. */
function addressOf(base: string, endpoint: string, parameters: Readonly<Record<string, string>>): string {
  const url = new URL(base)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${endpoint}`
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  // Not every server takes `+` for a space.
  url.search = url.search.replaceAll('+', '%20')
  return url.href
}

const joinFilters = (own: string, since: string): string => (own && since ? `(${own}) and ${since}` : own || since)

type Support = { filter: boolean; cursor: boolean }

/** What a server can do; nothing, if it doesn't say. @throws SourceFault if it can't be reached or refuses the login. */
async function readSupport(call: RestCall, url: string): Promise<Support> {
  try {
    const { document } = await call(url)
    return {
      filter: atPath(document, 'filter.supported') === true,
      cursor: atPath(document, 'pagination.cursor') === true,
    }
  } catch (error) {
    const isUnknown = error instanceof SourceFault && ['no-table', 'no-rights', 'failed'].includes(error.problem)
    if (isUnknown) return { filter: false, cursor: false }
    throw error
  }
}

/** The keyword of an error of RFC 7644 3.12. Not its text, which may contain anything. */
function scimTypeOf(document: unknown): string {
  const type = atPath(document, 'scimType')
  return typeof type === 'string' && /^[a-z]{1,40}$/i.test(type) ? type : ''
}

/** A moment in the form in which cursors have an order; null: the server has no clock. */
function toCursor(date: string | null): string | null {
  const at = new Date(date ?? Number.NaN)
  return Number.isNaN(at.getTime()) ? null : `${at.toISOString().slice(0, 19).replace('T', ' ')}+00`
}

const toMoment = (cursor: string): string => cursor.replace(' ', 'T').replace(/\+00$/, 'Z')
