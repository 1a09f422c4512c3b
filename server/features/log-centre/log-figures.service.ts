import type { LogFigures } from '#shared/contract/log-centre.ts'
import { DAY_MS, HOUR_MS } from '#shared/rules/durations.ts'
import { toIso } from '../../platform/iso-time.ts'
import type { Context } from '../../platform/platform.ts'
import { seesEverything } from '../access/index.ts'
import {
  figuresKeptSince,
  findCountedUntil,
  isRolledUp,
  LOG_HOURS_TOPIC,
  type LogName,
  listLogParts,
  listLogValues,
  SHOWN_FACETS,
} from '../statistics/index.ts'
import { countLines, findNames, type LineCount } from './log-figures.store.ts'
import { type LoginQuery, loginsBy, type VisitQuery, visitsBy } from './log-lines.service.ts'
import { ALL_PEOPLE, countBack, peopleOf } from './log-search.service.ts'
import { findOldest } from './log-search.store.ts'
import { withSearch } from './search-slots.service.ts'

type Query = LoginQuery | VisitQuery

/** Values returned per facet. */
const MAX_VALUES = 8
/** The default period. */
const USUAL_MS = 30 * DAY_MS
const MAX_PARTS = 100
const PART_HOURS = [1, 2, 3, 6, 12, 24, 48, 168, 672, 8760]
/** Roll-ups reach the current hour; if they lag more than this, they are still being computed. */
const BEHIND_MS = 3 * HOUR_MS

type Period = { from: Date; to: Date; partMs: number }

function periodOf(ctx: Context, { from, to }: Query): Period {
  const end = to ? Date.parse(to) : Math.ceil(ctx.now().getTime() / HOUR_MS) * HOUR_MS
  const begin = Math.min(from ? Date.parse(from) : end - USUAL_MS, end)
  const hours = PART_HOURS.find((one) => end - begin <= one * HOUR_MS * MAX_PARTS) ?? PART_HOURS.at(-1) ?? 1
  return { from: new Date(begin), to: new Date(end), partMs: hours * HOUR_MS }
}

type Coverage = { facet: string; value: string } | null

/** The single requested value if there are roll-ups for it; null: records must be counted. */
function coverageOf(ctx: Context, log: LogName, { from, to }: Period, query: Query): Coverage {
  const isWhole = [from, to].every((time) => time.getTime() % HOUR_MS === 0)
  // Roll-ups count everybody, so they are only for callers who may see everybody.
  if (!isWhole || !seesEverything(ctx) || to <= figuresKeptSince(ctx.now())) return null
  const { from: _, to: __, result: ___, search, without = [], ...others } = query
  const applied = Object.entries(others).filter(([, value]) => value !== undefined)
  if (search || without.length > 0 || applied.length > 1) return null
  const [[name, value] = ['all', '']] = applied
  if (name === 'authType' && value === 'third-party') return null
  return name === 'all' || isRolledUp(log, name) ? { facet: name, value: String(value) } : null
}

type Counted = Pick<LineCount, 'succeeded' | 'refused'>
type Found = {
  parts: ({ at: number } & Counted)[]
  values: ({ facet: string; value: string } & Counted)[]
}

/** Counts what no roll-up covers, newest records first. */
async function countFound(ctx: Context, log: LogName, period: Period, query: Query) {
  const source = log === 'login' ? loginsBy(query as LoginQuery) : visitsBy(query as VisitQuery)
  const people = await peopleOf(ctx, { ...ALL_PEOPLE, ...query })
  const sums = new Map<string, LineCount>()
  const since = await countBack(ctx, {
    source,
    people,
    from: period.from.toISOString(),
    to: period.to.toISOString(),
    count: (db, scope, timeSpan) => countLines(db, log, { source, people: scope, timeSpan, parts: period }),
    onCounted: (rows) => {
      for (const row of rows) {
        const key = `${row.at} ${row.facet} ${row.value}`
        const sum = sums.get(key) ?? { ...row, succeeded: 0, refused: 0 }
        sums.set(key, { ...sum, succeeded: sum.succeeded + row.succeeded, refused: sum.refused + row.refused })
      }
    },
  })
  const found: Found = { parts: [], values: [] }
  for (const { at, facet, ...counted } of sums.values()) {
    if (at !== null) found.parts.push({ at, ...counted })
    else if (facet !== null && counted.value !== '') found.values.push({ facet, ...counted })
  }
  return { ...found, parts: found.parts.toSorted((a, b) => a.at - b.at), since }
}

/** With a filter by result, the other results are dropped. */
function onlyResult<T extends Counted>(rows: readonly T[], result: Query['result']): T[] {
  const shown = rows.map((row) => ({
    ...row,
    succeeded: result === '0' ? 0 : row.succeeded,
    refused: result === '1' ? 0 : row.refused,
  }))
  return shown.filter(({ succeeded, refused }) => succeeded + refused > 0)
}

async function facetsOf(ctx: Context, log: LogName, values: Found['values']): Promise<LogFigures['facets']> {
  const sizeOf = ({ succeeded, refused }: Counted) => succeeded + refused
  const byFacet = SHOWN_FACETS[log].map((name) => {
    const all = values.filter(({ facet }) => facet === name).toSorted((a, b) => sizeOf(b) - sizeOf(a))
    return { name, values: all.slice(0, MAX_VALUES), more: Math.max(0, all.length - MAX_VALUES) }
  })
  const named = byFacet.flatMap((facet) =>
    ['applicationId', 'authType'].includes(facet.name) ? facet.values.map(({ value }) => value) : [],
  )
  const names = await findNames(ctx.db, ctx.client.language, named)
  return byFacet.map(({ values: shown, ...facet }) => ({
    ...facet,
    values: shown.map(({ facet: _, ...value }) => ({ ...value, label: names.get(value.value) ?? null })),
  }))
}

type Rolled = Period & { log: LogName }

const periodKey = ({ log, from, to }: Rolled) => `${log} ${from.getTime()} ${to.getTime()}`

/** Many administrators look at the same period, and roll-ups change once a minute. */
const cachedParts = (ctx: Context, wanted: Rolled & NonNullable<Coverage>) =>
  ctx.cache.read(LOG_HOURS_TOPIC, `parts ${periodKey(wanted)} ${wanted.facet} ${wanted.value}`, async () => [
    ...(await listLogParts(ctx.db, wanted)),
  ])
const cachedValues = (ctx: Context, wanted: Rolled) =>
  ctx.cache.read(LOG_HOURS_TOPIC, `values ${periodKey(wanted)}`, async () => [...(await listLogValues(ctx.db, wanted))])

/** From when on roll-ups cover a period; null: all of it, or there are no older records. */
async function rolledSince(ctx: Context, log: LogName, { from }: Period): Promise<Date | null> {
  const kept = figuresKeptSince(ctx.now())
  if (from >= kept) return null
  const oldest = await findOldest(ctx.db, `${log}_records`)
  return oldest && oldest < kept ? kept : null
}

/** Up to when records are counted, if that lags. */
const countedUntil = (ctx: Context, rolled: Date): Date | null =>
  ctx.now().getTime() - rolled.getTime() > BEHIND_MS ? rolled : null

/** @throws Refusal `service.busy`, if records must be counted. */
export async function logFigures(ctx: Context, log: LogName, query: Query): Promise<LogFigures> {
  const period = periodOf(ctx, query)
  const rolled = await findCountedUntil(ctx.db)
  // In the first minute of an installation nothing is counted yet.
  const coverage = rolled ? coverageOf(ctx, log, period, query) : null
  const isAll = coverage?.facet === 'all'
  const none = { parts: [], values: [], since: null }
  const counted = isAll ? none : await withSearch(() => countFound(ctx, log, period, query))
  const parts = coverage ? await cachedParts(ctx, { log, ...coverage, ...period }) : counted.parts
  const values = isAll ? await cachedValues(ctx, { log, ...period }) : counted.values
  const since = coverage ? await rolledSince(ctx, log, period) : counted.since
  return {
    from: period.from.toISOString(),
    to: period.to.toISOString(),
    partMs: period.partMs,
    parts: onlyResult(parts, query.result),
    facets: await facetsOf(ctx, log, onlyResult(values, query.result)),
    partsSince: toIso(since),
    facetsSince: toIso(isAll ? since : counted.since),
    countedUntil: toIso(coverage && rolled && countedUntil(ctx, rolled)),
  }
}
