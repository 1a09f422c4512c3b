import { isIP } from 'node:net'
import type { PendingQuery, Row } from 'postgres'
import type { Language } from '#shared/contract/endpoint.ts'
import { PORTAL } from '#shared/contract/log-centre.ts'
import { OWN_AUTH_TYPES } from '#shared/contract/records.ts'
import type { Db } from '../../platform/db.ts'
import { escapeLike, type IpFilter, ipMatches } from '../../platform/list.ts'
import { localized } from '../../platform/localized.ts'
import type { SaidRule } from '../access/index.ts'

type Sql = PendingQuery<Row[]>

export type Excluded = { name: string; value: string }

type CommonFilter = {
  userId: string | null
  applicationId: string | null
  ip: IpFilter
  ipRange: string | null
  onCampus: boolean | null
  clientType: string | null
  session: string | null
  succeeded: boolean | null
  reason: string | null
  without: readonly Excluded[]
}
export type LoginFilter = CommonFilter & {
  account: string | null
  accountIs: string | null
  requestId: string | null
  authType: string | null
  factor: string | null
  browser: string | null
  device: string | null
  said: SaidFilter | null
}
/** Part of what a rule said. */
export type SaidFilter = Partial<SaidRule>
export type VisitFilter = CommonFilter & { way: string | null; protocol: string | null }

/** A log: the table of its records `r`, its filters, and the details of the few that are shown. */
export type LogSource = {
  table: 'login_records' | 'visit_records'
  conditions: (db: Db) => Sql
  columns: (db: Db, language: Language) => Sql
}

/** Columns for excluding filters, by the name of their filter. */
const COLUMNS: Readonly<Record<string, string>> = {
  userId: 'user_id',
  account: 'account',
  accountIs: 'account',
  requestId: 'request_id',
  ip: 'ip',
  ipRange: 'ip_range',
  session: 'sso_session_id',
  applicationId: 'application_id',
  authType: 'auth_type',
  reason: 'reason',
  clientType: 'client_type',
  browser: 'browser',
  device: 'device',
  way: 'way',
}

function exclusions(db: Db, without: readonly Excluded[], rename: Readonly<Record<string, string>> = {}): Sql {
  return without.reduce((all, { name, value }) => {
    const special = EXCLUSIONS[name]?.(db, value)
    if (special) return db`${all} and ${special}`
    const column = db`r.${db(rename[name] ?? COLUMNS[name] ?? name)}`
    if (name === 'applicationId' && value === PORTAL) return db`${all} and ${column} is not null`
    return db`${all} and ${column}::text is distinct from ${name === 'ip' ? hostText(value) : value}`
  }, db``)
}

/** SQL: conditions that exclude what is in no column of the record, by the name of the filter. */
const EXCLUSIONS: Readonly<Record<string, (db: Db, value: string) => Sql>> = {
  organizationId: (db, id) => db`not exists (
    select from users x join organizations o on o.id = x.organization_id
    where x.id = r.user_id and o.ancestor_ids::text[] @> array[${id}::text])`,
  categoryId: (db, id) => db`not exists (select from users x where x.id = r.user_id and x.category_id::text = ${id})`,
  factor: (db, factor) =>
    factor === 'none' ? db`r.second_factor is not null` : db`r.second_factor is distinct from ${factor}`,
  rule: (db, rule) => db`not coalesce(r.rule_outcomes @> ${JSON.stringify([{ rule }])}::text::jsonb, false)`,
  protocol: (db, protocol) => db`r.application_id not in (select id from applications where protocol = ${protocol})`,
}

/** An `inet` of one address as text includes its prefix length. */
const hostText = (address: string): string => `${address}${address.includes(':') ? '/128' : '/32'}`

/** A complete address uses its index; a prefix or a network is compared by its bounds. */
function addressIs(db: Db, filter: IpFilter): Sql {
  if (!filter) return db``
  if ('beginning' in filter) {
    const { beginning } = filter
    if (isIP(beginning) && !beginning.endsWith(':')) return db`and r.ip = ${beginning}::inet`
    const octets = /^(?:\d{1,3}\.){1,3}$/.test(beginning) ? beginning.split('.').filter(Boolean) : []
    if (octets.length > 0 && octets.every((octet) => Number(octet) < 256)) {
      const network = [...octets, '0', '0', '0'].slice(0, 4).join('.')
      return db`and r.ip <<= ${`${network}/${octets.length * 8}`}::inet`
    }
  }
  return db`and ${ipMatches(db, db`r.ip`, filter)}`
}

/** SQL: `and …` for each column with a required value. */
const equalities = (db: Db, wanted: Readonly<Record<string, string | null>>): Sql =>
  Object.entries(wanted).reduce(
    (all, [column, value]) => (value === null ? all : db`${all} and r.${db(column)} = ${value}`),
    db``,
  )

/** SQL: a condition or its negation; nothing if neither is requested. */
function flag(db: Db, wanted: boolean | null, condition: Sql): Sql {
  if (wanted === null) return db``
  return wanted ? db`and ${condition}` : db`and not (${condition})`
}

const given = <T>(db: Db, wanted: T | null, condition: (wanted: T) => Sql): Sql =>
  wanted === null ? db`` : db`and ${condition(wanted)}`

const commonConditions = (db: Db, filter: CommonFilter): Sql => db`
  ${equalities(db, {
    user_id: filter.userId,
    ip_range: filter.ipRange,
    client_type: filter.clientType,
    sso_session_id: filter.session,
  })}
  ${given(db, filter.applicationId, (id) => (id === PORTAL ? db`r.application_id is null` : db`r.application_id = ${id}`))}
  ${addressIs(db, filter.ip)} ${flag(db, filter.onCampus, db`r.on_campus`)}`

const authTypeIs = (db: Db, wanted: string | null): Sql =>
  given(db, wanted, (type) =>
    type === 'third-party' ? db`r.auth_type <> all(${[...OWN_AUTH_TYPES]})` : db`r.auth_type = ${type}`,
  )

const factorIs = (db: Db, wanted: string | null): Sql =>
  given(db, wanted, (factor) => (factor === 'none' ? db`r.second_factor is null` : db`r.second_factor = ${factor}`))

const peopleColumns = (db: Db, language: Language) => db`
  u.name as person, u.account as "personAccount", u.organization_id, ${localized(db, 'o', language)} as organization,
  u.category_id, ${localized(db, 'c', language)} as category`
const commonColumns = (db: Db) => db`
  r.id, r.at, r.user_id, r.application_id, host(r.ip) as ip, r.ip_range,
  r.on_campus, r.client_type, r.sso_session_id as session,
  to_char(r.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '_' || r.id as key`
const peopleOf = (db: Db) => db`
  left join users u on u.id = r.user_id left join organizations o on o.id = u.organization_id
  left join user_categories c on c.id = u.category_id`

export type LineRow = {
  key: string
  id: string
  at: Date
  userId: string | null
  person: string | null
  personAccount: string | null
  organizationId: string | null
  organization: string | null
  categoryId: string | null
  category: string | null
  succeeded: boolean
  reason: string | null
  applicationId: string | null
  application: string | null
  ip: string
  ipRange: string | null
  onCampus: boolean
  clientType: 'pc' | 'mobile' | 'tablet' | 'other'
  session: string | null
}
export type LoginRow = LineRow & {
  logoutAt: Date | null
  account: string
  authType: string
  provider: string | null
  factor: 'totp' | 'recovery' | 'passkey' | 'device' | null
  browser: string
  device: string
  rules: SaidRule[] | null
  requestId: string
}
export type VisitRow = LineRow & { way: 'portal' | 'sign-on' | 'application'; protocol: string | null }

export const loginSource = (filter: LoginFilter): LogSource => ({
  table: 'login_records',
  conditions: (db) => db`${commonConditions(db, filter)}
    ${equalities(db, { browser: filter.browser, device: filter.device, account: filter.accountIs, request_id: filter.requestId })}
    ${given(db, filter.account, (typed) => db`r.account like ${`${escapeLike(typed)}%`}`)}
    ${authTypeIs(db, filter.authType)} ${flag(db, filter.succeeded, db`r.succeeded`)} ${factorIs(db, filter.factor)}
    ${given(db, filter.reason, (reason) => db`not r.succeeded and r.reason = ${reason}`)}
    ${given(db, filter.said, (said) => db`r.rule_outcomes is not null and r.rule_outcomes @> ${JSON.stringify([said])}::text::jsonb`)}
    ${exclusions(db, filter.without)}`,
  columns: (db, language) => db`${commonColumns(db)}, ${peopleColumns(db, language)}, r.logout_at, r.account,
    r.auth_type, ${localized(db, 'p', language)} as provider, r.succeeded, r.reason, r.second_factor as factor,
    r.browser, r.device, r.rule_outcomes as rules, r.request_id, ${localized(db, 'a', language)} as application`,
})

export const visitSource = (filter: VisitFilter): LogSource => ({
  table: 'visit_records',
  conditions: (db) => db`${commonConditions(db, filter)}
    ${equalities(db, { refusal: filter.reason, way: filter.way })} ${flag(db, filter.succeeded, db`r.refusal is null`)}
    ${given(db, filter.protocol, (protocol) => db`r.application_id in (select id from applications where protocol = ${protocol})`)}
    ${given(db, filter.session, (id) => db`r.user_id = (select l.user_id from login_records l where l.sso_session_id = ${id} limit 1)`)}
    ${exclusions(db, filter.without, { reason: 'refusal' })}`,
  columns: (db, language) => db`${commonColumns(db)}, ${peopleColumns(db, language)}, r.refusal is null as succeeded,
    r.refusal as reason, r.way, a.protocol, ${localized(db, 'a', language)} as application`,
})

/** Records from `lower` on and before `upper`; with `id`, also those at `upper` that come before it. */
export type TimeSpan = { lower: Date; upper: string; id: string | null }

function within(db: Db, { lower, upper, id }: TimeSpan): Sql {
  const moment = db`${upper}::text::timestamptz`
  const before = id ? db`r.at <= ${moment} and (r.at, r.id) < (${moment}, ${id}::uuid)` : db`r.at < ${moment}`
  return db`r.at >= ${lower} and ${before}`
}

/** The people whose records match: a join to a record `r`, and a condition on it. */
export type People = { join: Sql; where: Sql }

type LineOptions = { people: People; language: Language }

/** The details of records `r`: only for those that are shown. */
const tell = (db: Db, source: LogSource, lines: Sql, language: Language): Sql => db`
  select ${source.columns(db, language)} from (${lines}) r
    left join applications a on a.id = r.application_id and not a.built_in
    ${source.table === 'login_records' ? db`left join third_party_providers p on p.key = r.auth_type` : db``} ${peopleOf(db)}`

/** Matching records `r` of an interval, as stored. */
export const linesOf = (
  db: Db,
  source: LogSource,
  { people, timeSpan }: { people: People; timeSpan: TimeSpan },
): Sql => db`
  select r.* from ${db(source.table)} r ${people.join}
  where ${within(db, timeSpan)} ${people.where} ${source.conditions(db)}`

/** The newest records of an interval. */
export const listLines = <T extends LineRow>(
  db: Db,
  source: LogSource,
  { timeSpan, people, limit, language }: LineOptions & { timeSpan: TimeSpan; limit: number },
) => {
  const lines = db`
    ${linesOf(db, source, { people, timeSpan })} order by r.at desc, r.id desc limit ${limit}`
  return db<T[]>`${tell(db, source, lines, language)} order by r.at desc, r.id desc`
}

/** One record by its time and id, which determine its partition. */
export const findLine = <T extends LineRow>(
  db: Db,
  source: LogSource,
  { at, id, people, language }: LineOptions & { at: string; id: string },
) => {
  const line = db`
    select r.* from ${db(source.table)} r ${people.join}
    where r.at = ${at}::text::timestamptz and r.id = ${id} ${people.where}`
  return db<T[]>`${tell(db, source, line, language)}`
}

/** When the log begins; null: it is empty. */
export async function findOldest(db: Db, table: LogSource['table']): Promise<Date | null> {
  const [row] = await db<{ at: Date }[]>`select at from ${db(table)} order by at limit 1`
  return row?.at ?? null
}

/** With more people, the other filters' indexes are used instead. */
const FEW_PEOPLE = 60_000

/** Does the condition on a person `u` match only few? */
export async function hasFewPeople(db: Db, condition: Sql): Promise<boolean> {
  const [found] = await db<{ count: number }[]>`
    select count(*)::int as count from (select from users u where ${condition} limit ${FEW_PEOPLE + 1}) counted`
  return (found?.count ?? 0) <= FEW_PEOPLE
}

/** Of `people` (a table `u`) those of whom the condition is true, `limit` of them at most. */
export async function listPeopleIds(db: Db, people: Sql, condition: Sql, limit: number): Promise<string[]> {
  const rows = await db<{ id: string }[]>`select u.id from ${people} u where ${condition} limit ${limit}`
  return rows.map(({ id }) => id)
}

/** Checks the person of each record; `offset 0` keeps the planner from scanning all people instead. */
export const joinPeople = (db: Db, condition: Sql): People => ({
  join: db`cross join lateral (select from users u where u.id = r.user_id and ${condition} offset 0) known`,
  where: db``,
})
export const onlyPeople = (db: Db, ids: readonly string[]): People => ({
  join: db``,
  where: db`and r.user_id = any(${ids as string[]}::uuid[])`,
})
export const anybody = (db: Db): People => ({ join: db``, where: db`` })

export async function findSession(db: Db, id: string) {
  const [row] = await db<{ openedAt: Date; endedAt: Date | null; endReason: string | null }[]>`
    select opened_at, ended_at, end_reason from sso_sessions where id = ${id}`
  return row ?? null
}
