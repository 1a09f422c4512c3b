import { createHash } from 'node:crypto'
import type { SourceOptions } from '#shared/contract/data-source-options.ts'
import { MAX_SOURCE_ROWS, SourceFault } from '../data-source.types.ts'
import type { RestAnswer, RestCall } from './rest-call.service.ts'
import { atPath } from './rest-rows.rules.ts'

/** More than any API has whose pages hold a few dozen rows. */
const MAX_PAGES = 20_000
/** For all pages together: a source slower than that can't even be read overnight. */
const MAX_READ_MS = 2 * 3_600_000

/** @returns what to call before each page. @throws SourceFault `limited` if there is no end. */
export function limitPages(): (pages: number, rows: number) => void {
  const began = performance.now()
  return (pages, rows) => {
    if (pages >= MAX_PAGES || rows > MAX_SOURCE_ROWS || performance.now() - began > MAX_READ_MS)
      throw new SourceFault('limited', `${pages} / ${rows}`)
  }
}

type PagePosition = { number: number; rows: number; url: string }

/**
 * The rows of every page until there are no more.
 * @throws SourceFault `repeated-page` if a page comes again: the API ignores the paging parameters; `limited` if there is no end; `cut-off`
 *   if fewer rows arrived than announced, or more are to be had.
 */
export async function* readPages(call: RestCall, address: string, options: SourceOptions): AsyncGenerator<unknown[]> {
  const checkLimits = limitPages()
  const seen = new Set<string>()
  const addresses = new Set<string>()
  let position: PagePosition | null = { number: 0, rows: 0, url: urlOf(address, options, { number: 0, rows: 0 }) }
  let total: number | null = null
  let rows = 0
  let largest = 1
  while (position) {
    const { number, url }: PagePosition = position
    checkLimits(number, rows)
    // Pages whose rows differ each time, or that have none, don't tell that they lead in a circle.
    refuseRepeated(addresses, url)
    const answer = await call(url)
    const page = rowsOf(answer, options)
    rows += page.length
    largest = Math.max(largest, page.length)
    total ??= totalOf(answer, options)
    if (page.length > 0) {
      refuseRepeated(seen, printOf(page))
      yield page
    }
    const behind = (more: number) => urlOf(address, options, { number: number + 1, rows: rows + more })
    if (total !== null && rows >= total) await refuseMore(call, behind(0), options, seen)
    if (total === null && page.length === 0) await confirmEnd(call, [url, behind(largest)], options)
    position = nextPosition({ ...position, rows }, { answer, page, total }, address, options)
  }
  if (total !== null && rows < total) throw new SourceFault('cut-off', `${rows} / ${total}`)
}

/** Pages that are counted, so that only an empty one tells that there are no more. */
const COUNTED: readonly string[] = ['page', 'offset', 'index']

/**
 * Without a total, an empty page is all that tells the end from a page that was lost: it is requested again, and so is the one behind it.
 * @throws SourceFault `cut-off` if one of them has rows.
 */
async function confirmEnd(call: RestCall, urls: readonly string[], options: SourceOptions): Promise<void> {
  if (!COUNTED.includes(options.paging)) return
  for (const url of urls)
    if (rowsOf(await call(url), options).length > 0) throw new SourceFault('cut-off', new URL(url).search)
}

const NO_SUCH_PAGE: readonly string[] = ['failed', 'no-table']

/**
 * A total that is too small, such as the number of rows of one page, would make leavers of all others. Behind the last page an API may
 * answer nothing, an error or its last page again.
 * @throws SourceFault `cut-off` if there are other rows.
 */
async function refuseMore(
  call: RestCall,
  url: string,
  options: SourceOptions,
  seen: ReadonlySet<string>,
): Promise<void> {
  if (!COUNTED.includes(options.paging)) return
  const more = await call(url)
    .then((answer) => rowsOf(answer, options))
    .catch((error: unknown) => {
      if (error instanceof SourceFault && NO_SUCH_PAGE.includes(error.problem)) return []
      throw error
    })
  if (more.length > 0 && !seen.has(printOf(more))) throw new SourceFault('cut-off', new URL(url).search)
}

function rowsOf({ document }: RestAnswer, { rowsPath }: SourceOptions): unknown[] {
  const rows = atPath(document, rowsPath)
  // A missing list, or an error instead of rows, is not an institution without people.
  if (!Array.isArray(rows)) throw new SourceFault('failed', `rows: ${rowsPath || '.'}`)
  return rows as unknown[]
}

const printOf = (page: readonly unknown[]) => createHash('sha256').update(JSON.stringify(page)).digest('base64')

function refuseRepeated(seen: Set<string>, key: string): void {
  if (seen.has(key)) throw new SourceFault('repeated-page', String(seen.size + 1))
  seen.add(key)
}

function totalOf({ document }: RestAnswer, { totalPath }: SourceOptions): number | null {
  if (totalPath === '') return null
  const total = Number(atPath(document, totalPath))
  if (!Number.isSafeInteger(total) || total < 0) throw new SourceFault('failed', `total: ${totalPath}`)
  return total
}

/** The URL of a page by number, offset or first row, or of the first page. */
function urlOf(
  address: string,
  options: SourceOptions,
  { number, rows }: Pick<PagePosition, 'number' | 'rows'>,
): string {
  const url = new URL(address)
  const { paging, pageParameter, sizeParameter, pageSize, firstPage } = options
  if (paging === 'none') return url.href
  if (sizeParameter !== '') url.searchParams.set(sizeParameter, String(pageSize))
  if (paging === 'page') url.searchParams.set(pageParameter, String(firstPage + number))
  if (paging === 'offset') url.searchParams.set(pageParameter, String(rows))
  if (paging === 'index') url.searchParams.set(pageParameter, String(rows + 1))
  return url.href
}

type Seen = { answer: RestAnswer; page: readonly unknown[]; total: number | null }

/** Null: that was the last one. A page shorter than requested need not be: some APIs return fewer. */
function nextPosition(
  { number, rows }: PagePosition,
  { answer, page, total }: Seen,
  address: string,
  options: SourceOptions,
): PagePosition | null {
  const next = { number: number + 1, rows }
  const at = (url: string): PagePosition => ({ ...next, url })
  if (options.paging === 'none') return null
  if (options.paging === 'link') {
    const link = linkOf(answer, options)
    return link === null ? null : at(sameOrigin(link, address))
  }
  if (options.paging === 'cursor') {
    const cursor = atPath(answer.document, options.cursorPath)
    if (cursor === undefined || cursor === null || cursor === '' || cursor === false) return null
    const url = new URL(urlOf(address, options, next))
    url.searchParams.set(options.pageParameter, String(cursor))
    return at(url.href)
  }
  if (page.length === 0 || (total !== null && rows >= total)) return null
  return at(urlOf(address, options, next))
}

/** In the document if a path is set, else in the header. */
function linkOf({ document, next }: RestAnswer, { cursorPath }: SourceOptions): string | null {
  if (cursorPath === '') return next
  const link = atPath(document, cursorPath)
  return typeof link === 'string' && link !== '' ? link : null
}

/** An answer must not redirect the secret elsewhere. @throws SourceFault `referral`. */
function sameOrigin(link: string, address: string): string {
  const url = URL.canParse(link, address) ? new URL(link, address) : null
  if (url?.origin !== new URL(address).origin) throw new SourceFault('referral', url?.origin ?? '')
  return url.href
}
