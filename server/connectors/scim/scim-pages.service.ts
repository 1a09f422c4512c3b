import { SourceFault } from '../data-source.types.ts'
import type { RestCall } from '../rest/rest-call.service.ts'
import { limitPages } from '../rest/rest-pages.service.ts'
import { isObject, type ScimResource } from './scim-rows.rules.ts'

/** Makes the URL of a list with these parameters. */
export type ListUrl = (parameters: Readonly<Record<string, string>>) => string

type Page = { resources: readonly ScimResource[]; total: number | null; nextCursor: string }

/** A page of RFC 7644 3.4.2. @throws SourceFault `failed` unless it is one. */
function readList(document: unknown): Page {
  if (!isObject(document)) throw new SourceFault('failed', 'ListResponse')
  const { totalResults, Resources: resources = [], nextCursor } = document
  const total = totalResults === undefined ? null : Number(totalResults)
  if (total !== null && (!Number.isSafeInteger(total) || total < 0)) throw new SourceFault('failed', 'totalResults')
  // An error instead of a list is not an institution without people.
  if (total === null && document['Resources'] === undefined) throw new SourceFault('failed', 'ListResponse')
  if (!Array.isArray(resources) || !resources.every(isObject)) throw new SourceFault('failed', 'Resources')
  return { resources, total, nextCursor: typeof nextCursor === 'string' ? nextCursor : '' }
}

/** What was read of a list so far, by ids: the same resource on two pages counts once. */
class Listing {
  readonly #checkLimits = limitPages()
  readonly #ids = new Set<string>()
  #pages = 0
  /** Resources that came, with those that came twice. */
  position = 0
  /** How many different ones have to come; null: nobody has said. */
  expected: number | null = null

  /** @throws SourceFault `limited`. */
  beginPage(): void {
    this.#checkLimits(this.#pages, this.position)
    this.#pages += 1
  }

  isNew({ id }: ScimResource): boolean {
    return !this.#ids.has(keyOf(id))
  }

  /** The resources that were not there before. @throws SourceFault `repeated-page` if a page brings nobody new; `failed` for one without an id. */
  take(resources: readonly ScimResource[]): ScimResource[] {
    const fresh: ScimResource[] = []
    for (const one of resources) {
      if (this.isNew(one)) fresh.push(one)
      this.#ids.add(keyOf(one['id']))
    }
    if (resources.length > 0 && fresh.length === 0) throw this.refuseRepeated()
    this.position += resources.length
    return fresh
  }

  refuseRepeated = () => new SourceFault('repeated-page', String(this.#pages))
  refuseTotal = (total: number) => new SourceFault('cut-off', `${this.#ids.size} / ${total}`)

  /** @throws SourceFault `cut-off` if fewer came than have to. */
  end(): void {
    if (this.expected !== null && this.#ids.size < this.expected) throw this.refuseTotal(this.expected)
  }
}

function keyOf(id: unknown): string {
  const key = typeof id === 'string' || typeof id === 'number' ? String(id) : ''
  if (key === '') throw new SourceFault('failed', 'id')
  return key
}

/**
 * The resources page by page, from the first by number. Whoever is deleted meanwhile moves others to a page that was already read, so the
 * greatest total that any page named has to arrive.
 * @throws SourceFault `repeated-page` if a page brings nobody new; `cut-off` if fewer arrived than announced, or more; `limited`.
 */
export async function* readByIndex(call: RestCall, urlOf: ListUrl, count: number): AsyncGenerator<ScimResource[]> {
  const listing = new Listing()
  for (;;) {
    listing.beginPage()
    const url = urlOf({ startIndex: String(listing.position + 1), count: String(count) })
    const isBehindEnd = listing.expected !== null && listing.position >= listing.expected
    const page = isBehindEnd ? await askBehindEnd(call, url, listing) : readList((await call(url)).document)
    if (page === null) break
    if (page.total === null) throw new SourceFault('failed', 'totalResults')
    listing.expected = Math.max(listing.expected ?? 0, page.total)
    if (page.resources.length === 0) break
    yield listing.take(page.resources)
  }
  listing.end()
}

/**
 * Whether that was all: some servers name the number of rows of a page as the total.
 * @returns null for yes, also if the server refuses to list what is behind the end
 * @throws SourceFault `cut-off` if there is more than it said.
 */
async function askBehindEnd(call: RestCall, url: string, listing: Listing): Promise<Page | null> {
  try {
    const page = readList((await call(url)).document)
    if (!page.resources.some((one) => listing.isNew(one))) return null
    if (page.total === null || page.total > listing.position) return page
    throw listing.refuseTotal(page.total)
  } catch (error) {
    if (error instanceof SourceFault && /^HTTP 4(00|04)\b/.test(error.words)) return null
    throw error
  }
}

/**
 * The same by cursors (RFC 9865), which don't move anybody to another page.
 * @throws SourceFault as `readByIndex`, and `repeated-page` if a cursor comes again.
 */
export async function* readByCursor(call: RestCall, urlOf: ListUrl, count: number): AsyncGenerator<ScimResource[]> {
  const listing = new Listing()
  const cursors = new Set<string>()
  for (let cursor: string | null = ''; cursor !== null; ) {
    listing.beginPage()
    const { resources, total, nextCursor } = readList((await call(urlOf({ cursor, count: String(count) }))).document)
    // Who is deleted or added meanwhile is missing in one of the totals.
    if (total !== null) listing.expected = Math.min(listing.expected ?? total, total)
    yield listing.take(resources)
    if (cursors.has(nextCursor)) throw listing.refuseRepeated()
    cursors.add(nextCursor)
    cursor = nextCursor === '' ? null : nextCursor
  }
  listing.end()
}
