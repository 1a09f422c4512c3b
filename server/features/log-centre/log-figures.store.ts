import type { Language } from '#shared/contract/endpoint.ts'
import { PORTAL } from '#shared/contract/log-centre.ts'
import type { Db } from '../../platform/db.ts'
import { localized } from '../../platform/localized.ts'
import { type LogSource, linesOf, type People, type TimeSpan } from './log-search.store.ts'

/** Records of one bucket of the period, or with one value. `facet` null: a bucket. */
export type LineCount = { at: number | null; facet: string | null; value: string; succeeded: number; refused: number }

type Parts = { from: Date; partMs: number }

/** The columns of `facets` in the roll-ups, by the name of their filter. */
const facetColumns = (db: Db, table: LogSource['table']) =>
  table === 'login_records'
    ? db`coalesce(r.application_id::text, ${PORTAL}) as "applicationId", r.auth_type as kind,
        case when r.succeeded then '' else coalesce(r.reason, '') end as reason`
    : db`r.application_id::text as "applicationId", r.way as kind, coalesce(r.refusal, '') as reason`

/** Counts the records of an interval by bucket and by value, in one scan. */
export const countLines = (
  db: Db,
  source: LogSource,
  { people, timeSpan, parts }: { people: People; timeSpan: TimeSpan; parts: Parts },
) => db<LineCount[]>`
  select at, case grouping("applicationId", kind, client_type, range, place, reason)
      when 31 then 'applicationId' when 47 then ${source.table === 'login_records' ? 'authType' : 'way'}::text
      when 55 then 'clientType' when 59 then 'ipRange' when 61 then 'onCampus' when 62 then 'reason' end as facet,
    coalesce("applicationId", kind, client_type, range, place, reason, '') as value,
    count(*) filter (where well)::int as succeeded, count(*) filter (where not well)::int as refused
  from (
    select floor(extract(epoch from r.at - ${parts.from}::timestamptz) * 1000 / ${parts.partMs}::float8)::int as at,
      ${facetColumns(db, source.table)}, r.client_type, coalesce(r.ip_range, '') as range, r.on_campus::int::text as place,
      ${source.table === 'login_records' ? db`r.succeeded` : db`r.refusal is null`} as well
    from (${linesOf(db, source, { people, timeSpan })}) r
  ) r group by grouping sets ((at), ("applicationId"), (kind), (client_type), (range), (place), (reason))`

/** The names for values that are ids or keys. */
export async function findNames(db: Db, language: Language, values: readonly string[]): Promise<Map<string, string>> {
  const rows = await db<{ value: string; name: string }[]>`
    select a.id::text as value, ${localized(db, 'a', language)} as name from applications a
    where a.id::text = any(${values as string[]})
    union all select p.key, ${localized(db, 'p', language)} from third_party_providers p where p.key = any(${values as string[]})`
  return new Map(rows.map(({ value, name }) => [value, name]))
}
