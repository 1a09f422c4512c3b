import { PORTAL } from '#shared/contract/log-centre.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'

export type LogName = 'login' | 'visit'

/** The filters whose values are counted and shown, in display order: by hours and by days. */
export const SHOWN_FACETS: Readonly<Record<LogName, readonly string[]>> = {
  login: ['reason', 'applicationId', 'authType', 'ipRange', 'clientType', 'onCampus'],
  visit: ['reason', 'applicationId', 'entry', 'ipRange', 'clientType', 'onCampus'],
}

/** The filters whose values are counted by hours only: they have a timeline, and a search skips the hours without the value. */
const ONLY_BY_HOUR: Readonly<Record<LogName, readonly string[]>> = {
  login: ['browser', 'device', 'factor'],
  visit: [],
}

export const facetsOf = (log: LogName): readonly string[] => [...SHOWN_FACETS[log], ...ONLY_BY_HOUR[log]]

/** Are the records with each of this filter's values counted? */
export const isRolledUp = (log: LogName, facet: string): boolean => facetsOf(log).includes(facet)

/** SQL: each facet of a record as a text, by the name of its filter, and whether it was allowed. */
export const facetColumns: Readonly<Record<LogName, (db: Db) => SqlFragment>> = {
  login: (db) => db`
    coalesce(application_id::text, ${PORTAL}) as "applicationId", auth_type as "authType", client_type as "clientType",
    coalesce(ip_range, '') as "ipRange", on_campus::int::text as "onCampus",
    case when succeeded then '' else coalesce(reason, '') end as reason, browser, device,
    coalesce(second_factor, 'none') as factor, succeeded`,
  visit: (db) => db`
    application_id::text as "applicationId", entry, client_type as "clientType", coalesce(ip_range, '') as "ipRange",
    on_campus::int::text as "onCampus", coalesce(refusal, '') as reason, refusal is null as succeeded`,
}

/** Joins pieces of SQL, one for each facet. */
const each = (
  db: Db,
  facets: readonly string[],
  separator: SqlFragment,
  piece: (facet: SqlFragment, name: string) => SqlFragment,
) => facets.map((name) => piece(db`${db(name)}`, name)).reduce((all, one) => db`${all}${separator}${one}`)

/** SQL to count records by each of these facets in one scan: `facet` is null in rows of another grouping set. */
export const groupByFacets = (db: Db, facets: readonly string[]) => ({
  facet: db`case ${each(db, facets, db` `, (column, name) => db`when grouping(${column}) = 0 then ${name}::text`)} end`,
  value: db`coalesce(${each(db, facets, db`, `, (column) => column)}, '')`,
  sets: each(db, facets, db`, `, (column) => db`(${column})`),
})
