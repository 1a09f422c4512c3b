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

type Place = { number: number; rows: number; url: string }

/**
 * The rows of every page until there are no more.
 * @throws SourceFault `repeated-page` if a page comes again: the API ignores the paging parameters; `limited` if there is no end; `cut-off`
 *   if fewer rows arrived than announced.
 */
export async function* readPages(call: RestCall, address: string, options: SourceOptions): AsyncGenerator<unknown[]> {
  const checkLimits = limitPages()
  const seen = new Set<string>()
  const addresses = new Set<string>()
  let place: Place | null = { number: 0, rows: 0, url: urlOf(address, options, { number: 0, rows: 0 }) }
  let total: number | null = null
  let rows = 0
  while (place) {
    checkLimits(place.number, rows)
    // Pages whose rows differ each time, or that have none, don't tell that they lead in a circle.
    if (addresses.has(place.url)) throw new SourceFault('repeated-page', String(place.number + 1))
    addresses.add(place.url)
    const answer = await call(place.url)
    const page = rowsOf(answer, options)
    refuseRepeated(seen, page)
    rows += page.length
    total ??= totalOf(answer, options)
    if (page.length > 0) yield page
    place = nextPlace({ ...place, rows }, { answer, page, total }, address, options)
  }
  if (total !== null && rows < total) throw new SourceFault('cut-off', `${rows} / ${total}`)
}

function rowsOf({ document }: RestAnswer, { rowsPath }: SourceOptions): unknown[] {
  const rows = atPath(document, rowsPath)
  // A missing list, or an error instead of rows, is not an institution without people.
  if (!Array.isArray(rows)) throw new SourceFault('failed', `rows: ${rowsPath || '.'}`)
  return rows as unknown[]
}

function refuseRepeated(seen: Set<string>, page: readonly unknown[]): void {
  if (page.length === 0) return
  const print = createHash('sha256').update(JSON.stringify(page)).digest('base64')
  if (seen.has(print)) throw new SourceFault('repeated-page', String(seen.size + 1))
  seen.add(print)
}

function totalOf({ document }: RestAnswer, { totalPath }: SourceOptions): number | null {
  if (totalPath === '') return null
  const total = Number(atPath(document, totalPath))
  if (!Number.isSafeInteger(total) || total < 0) throw new SourceFault('failed', `total: ${totalPath}`)
  return total
}

/** The URL of a page by number, offset or first row, or of the first page. */
function urlOf(address: string, options: SourceOptions, { number, rows }: Pick<Place, 'number' | 'rows'>): string {
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
function nextPlace(
  { number, rows }: Place,
  { answer, page, total }: Seen,
  address: string,
  options: SourceOptions,
): Place | null {
  const next = { number: number + 1, rows }
  const at = (url: string): Place => ({ ...next, url })
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
