import type { Language } from '#shared/contract/endpoint.ts'
import type { Permission } from '#shared/contract/permissions.ts'
import { HOUR_MS } from '#shared/rules/durations.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'
import type { Context } from '../../platform/platform.ts'
import { type Ask, readWithin } from '../../platform/read-within.ts'
import { inScope, isOrganizationVisible, isPersonVisible, seesEverything } from '../access/index.ts'
import { listMeantIds, rowMatchesAny, type SearchPredicate, searchPredicates } from '../name-search/index.ts'
import { hoursOf } from './log-hours.service.ts'
import {
  anybody,
  findOldest,
  hasFewPeople,
  joinPeople,
  type LineRow,
  type LogSource,
  listLines,
  listPeopleIds,
  onlyPeople,
  type People,
  type TimeSpan,
} from './log-search.store.ts'
import { giveWay, stepMs } from './search-slots.service.ts'

/** After this time a search returns what it has. */
const MAX_SEARCH_MS = 1500
/** An interval may take as long at least, however little time is left. */
const MIN_TIMEOUT_MS = 250
const FIRST_SPAN_MS = 6 * HOUR_MS
const SHORTEST_SPAN_MS = 60_000
const MAX_GROWTH = 4
/** Of a cancelled interval the next one is a sixteenth. */
const TOO_LONG = 16
/** So many people are looked for by their ids; of more each line is asked whose it is. */
const MAX_LOOKED_UP = 2000
/** Another node's clock may be ahead. */
const AHEAD_MS = HOUR_MS

export type PeopleFilter = {
  search: string
  userId: string | undefined
  organizationId: string | undefined
  categoryId: string | undefined
}
export const ALL_PEOPLE: PeopleFilter = {
  search: '',
  userId: undefined,
  organizationId: undefined,
  categoryId: undefined,
}

/**
 * The people whose records the caller may see and searches for; null: nobody.
 * @param permission what the caller must be allowed for these people besides viewing
 */
export async function peopleOf(
  ctx: Context,
  filter: PeopleFilter,
  permission: Permission | null = null,
): Promise<People | null> {
  const { db } = ctx
  const { userId, organizationId, categoryId } = filter
  const isLimited = !seesEverything(ctx)
  const text = filter.search.normalize('NFKC').trim()
  // Places out of scope are not searched: the answer, and the time it takes, are those of a place that doesn't exist.
  if (isLimited && organizationId && !(await isOrganizationVisible(ctx, organizationId))) return null
  if (isLimited && userId && !(await isPersonVisible(ctx, userId, { includeDeleted: true }))) return null
  if (!isLimited && !text && !organizationId && !categoryId) return anybody(db)
  const predicates = text ? searchPredicates(db, text, undefined) : null
  if (predicates?.length === 0) return null
  return await findPeople(ctx, personCondition(ctx, { organizationId, categoryId }, permission), predicates)
}

type Condition = SqlFragment

function personCondition(
  ctx: Context,
  { organizationId, categoryId }: Pick<PeopleFilter, 'organizationId' | 'categoryId'>,
  permission: Permission | null,
): Condition {
  const { db } = ctx
  const below = db`array(select o.id from organizations o where o.ancestor_ids @> array[${organizationId ?? null}::uuid])`
  return db`${inScope(ctx, db`u.organization_id`, permission)}
    ${organizationId ? db`and u.organization_id = any(${below})` : db``}
    ${categoryId ? db`and u.category_id = ${categoryId}` : db``}`
}

/** The people for whom the condition holds and who match one of these predicates. */
async function findPeople(
  ctx: Context,
  condition: Condition,
  predicates: readonly SearchPredicate[] | null,
): Promise<People | null> {
  const { db } = ctx
  const atHand = predicates ? db`${condition} and ${rowMatchesAny(db, predicates)}` : condition
  const find = async (ask: Ask) => {
    // For few people the condition is checked per person: an index would find others too, and the response time would reveal how many.
    const isSmall = !seesEverything(ctx) && (await ask((tx) => hasFewPeople(tx, inScope(ctx, db`u.organization_id`))))
    const limit = MAX_LOOKED_UP + 1
    if (predicates && !isSmall) return await ask((tx) => listMeantIds(tx, predicates, { condition, limit }))
    const people = isSmall
      ? db`(select u.* from users u where ${inScope(ctx, db`u.organization_id`)} offset 0)`
      : db`users`
    return await ask((tx) => listPeopleIds(tx, people, atHand, limit))
  }
  const found = await readWithin(ctx, MAX_SEARCH_MS / 2, find, { onOneCore: true })
  if (!found || found.value.length > MAX_LOOKED_UP) return joinPeople(db, atHand)
  return found.value.length === 0 ? null : onlyPeople(db, found.value)
}

type Search = {
  source: LogSource
  people: People | null
  from: string | undefined
  to: string | undefined
  after: string | undefined
  pageSize: number
  language: Language
}

/** Where the search continues: before a moment, and within that moment before a record. */
type SearchPosition = { upper: string; id: string | null }

const positionOf = (key: string): SearchPosition => ({ upper: key.slice(0, 27), id: key.slice(28) || null })
const positionAt = (time: number): SearchPosition => ({
  upper: new Date(time).toISOString().replace('Z', '000Z'),
  id: null,
})

/** The end (exclusive) of what is to be read, in milliseconds: a record within a millisecond belongs to it. */
const endOf = ({ upper, id }: SearchPosition): number =>
  Date.parse(upper) + (id !== null || !upper.endsWith('000Z') ? 1 : 0)

/** The beginning of the month before a moment, so that an interval lies within one partition. */
function monthBefore(time: number): number {
  const date = new Date(time - 1)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
}

const keyOf = ({ upper, id }: SearchPosition): string => (id === null ? upper : `${upper}_${id}`)

/**
 * The length of the next interval: what can be read in a step, and not much more than the one before. @param length of that one, which may
 * have been cut
 */
const nextSpan = (span: number, length: number, took: number): number =>
  Math.max(Math.min((length * stepMs()) / Math.max(took, 1), span * MAX_GROWTH), SHORTEST_SPAN_MS)

type Bounds = { begin: number; end: number }

/** The period that a search reads, in milliseconds: from the requested start, or from the oldest record. */
export async function logBounds(
  ctx: Context,
  { source, from, to }: Pick<Search, 'source' | 'from' | 'to'>,
): Promise<Bounds> {
  const oldest = await findOldest(ctx.db, source.table)
  const begin = Math.max(oldest?.getTime() ?? Number.POSITIVE_INFINITY, from ? Date.parse(from) : 0)
  return { begin, end: to ? Date.parse(to) : ctx.now().getTime() + AHEAD_MS }
}

/** Newest records first. Ends with the page, with the log, or when its time is up: then with what it has, and how far it got. */
export async function searchLog<Row extends LineRow>(ctx: Context, search: Search) {
  const { source, people, pageSize, after, language } = search
  const bounds = await logBounds(ctx, search)
  const records: Row[] = []
  const stopAt = (time: number, next: string) => ({ records, searchedBackTo: new Date(time).toISOString(), next })
  const ended = { records, searchedBackTo: null, next: null }
  if (!people) return ended
  let position = after ? positionOf(after) : positionAt(bounds.end)
  const read = (db: Db, timeSpan: TimeSpan) =>
    listLines<Row>(db, source, { people, timeSpan, limit: pageSize, language })
  for await (const timeSpan of readBack(ctx, { source, position, begin: bounds.begin, ms: MAX_SEARCH_MS, read })) {
    records.push(...(timeSpan.found ?? []).slice(0, pageSize - records.length))
    position = timeSpan.position
    const last = records.at(-1)
    if (last && records.length >= pageSize) return stopAt(last.at.getTime(), last.key)
  }
  return endOf(position) > bounds.begin ? stopAt(endOf(position), keyOf(position)) : ended
}

/** A count accompanies a search and gets less time. */
const MAX_COUNT_MS = 1000

type Counting<T> = Pick<Search, 'source' | 'from' | 'to'> & {
  people: People | null
  count: (db: Db, people: People, timeSpan: TimeSpan) => PromiseLike<T>
  onCounted: (found: T) => void
}

/** Counts the newest records first, within a time limit. @returns how far back; null: everything was counted */
export async function countBack<T>(ctx: Context, counting: Counting<T>): Promise<Date | null> {
  const { source, people, count, onCounted } = counting
  const { begin, end } = await logBounds(ctx, counting)
  if (!people) return null
  let position = positionAt(end)
  const read = (db: Db, timeSpan: TimeSpan) => count(db, people, timeSpan)
  for await (const timeSpan of readBack(ctx, { source, position, begin, ms: MAX_COUNT_MS, read })) {
    if (timeSpan.found) onCounted(timeSpan.found)
    position = timeSpan.position
  }
  return endOf(position) > begin ? new Date(endOf(position)) : null
}

type ReadBack<T> = {
  source: LogSource
  position: SearchPosition
  begin: number
  ms: number
  read: (db: Db, timeSpan: TimeSpan) => PromiseLike<T>
}

/**
 * Goes back in time interval by interval, sizing each by the duration of the previous one; until `begin`, or until time is up. `found` is
 * null where nothing had to be read.
 */
async function* readBack<T>(ctx: Context, { source, begin, ms, read, ...from }: ReadBack<T>) {
  const deadline = performance.now() + ms
  const lookUp = hoursOf(ctx, source)
  let { position } = from
  let span = FIRST_SPAN_MS
  const isOver = () => endOf(position) <= begin || performance.now() >= deadline
  while (!isOver()) {
    const upper = endOf(position)
    // What is left is for reading the records, should it not be known in time.
    const known = await lookUp(upper, (deadline - performance.now()) / 2)
    if (known.upper < upper) {
      position = positionAt(Math.max(known.upper, begin))
      yield { found: null, position }
      continue
    }
    const lower = Math.max(upper - span, monthBefore(upper), known.since, begin)
    const timeSpan = { lower: new Date(lower), ...position, hours: known.hoursFrom(lower) }
    // Planned for these actual values: the best plan differs between one person and a whole day.
    const started = performance.now()
    const timeout = Math.max(deadline - started, MIN_TIMEOUT_MS)
    const found = await readWithin(ctx, timeout, (ask) => ask((db) => read(db, timeSpan)), { onOneCore: true })
    const took = performance.now() - started
    if (!found && span === SHORTEST_SPAN_MS) return
    span = nextSpan(span, upper - lower, found ? took : TOO_LONG * stepMs())
    if (found) {
      position = positionAt(lower)
      yield { found: found.value, position }
    }
    if (isOver()) return
    await giveWay(took)
  }
}
