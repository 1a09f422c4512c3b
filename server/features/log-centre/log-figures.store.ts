import type { Language } from '#shared/contract/endpoint.ts'
import type { Db } from '../../platform/db.ts'
import { localized } from '../../platform/localized.ts'
import { facetColumns, groupByFacets, type LogName, SHOWN_FACETS } from '../statistics/index.ts'
import { type LogSource, linesOf, type People, type TimeSpan } from './log-search.store.ts'

/** Records of one bucket of the period, or with one value. `facet` null: a bucket. */
export type LineCount = { at: number | null; facet: string | null; value: string; succeeded: number; refused: number }

type Parts = { from: Date; partMs: number }

/** Counts the records of an interval by bucket and by value, in one scan. */
export function countLines(
  db: Db,
  log: LogName,
  { source, people, timeSpan, parts }: { source: LogSource; people: People; timeSpan: TimeSpan; parts: Parts },
) {
  const { facet, value, sets } = groupByFacets(db, SHOWN_FACETS[log])
  return db<LineCount[]>`
    select bucket as at, ${facet} as facet, ${value} as value,
      count(*) filter (where succeeded)::int as succeeded, count(*) filter (where not succeeded)::int as refused
    from (
      select floor(extract(epoch from at - ${parts.from}::timestamptz) * 1000 / ${parts.partMs}::float8)::int as bucket,
        ${facetColumns[log](db)}
      from (${linesOf(db, source, { people, timeSpan })}) r
    ) r group by grouping sets ((bucket), ${sets})`
}

/** The names for values that are ids or keys. */
export async function findNames(db: Db, language: Language, values: readonly string[]): Promise<Map<string, string>> {
  const rows = await db<{ value: string; name: string }[]>`
    select a.id::text as value, ${localized(db, 'a', language)} as name from applications a
    where a.id::text = any(${values as string[]})
    union all select p.key, ${localized(db, 'p', language)} from third_party_providers p where p.key = any(${values as string[]})`
  return new Map(rows.map(({ value, name }) => [value, name]))
}
