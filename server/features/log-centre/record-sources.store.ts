import { isIP } from 'node:net'
import { PORTAL } from '#shared/contract/log-centre.ts'
import { OWN_AUTH_TYPES } from '#shared/contract/records.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'
import { escapeLike, type IpFilter, ipMatches } from '../../platform/list.ts'
import { localized } from '../../platform/localized.ts'
import type { SaidRule } from '../access/index.ts'
import { boundsOf } from './address-bounds.rules.ts'
import type { CommonFilter, Excluded, LoginFilter, VisitFilter } from './log-filter.types.ts'
import { loginOccurrences, visitOccurrences } from './log-occurrences.rules.ts'
import { equalities, keyColumns, type LineRow, type LogSource, peopleColumns } from './log-search.store.ts'

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
  entry: 'entry',
}

/** SQL: `and …` for each value that is excluded. */
export function exclusions(
  db: Db,
  without: readonly Excluded[],
  rename: Readonly<Record<string, string>> = {},
): SqlFragment {
  return without.reduce((all, { name, value }) => {
    const special = EXCLUSIONS[name]?.(db, value)
    if (special) return db`${all} and ${special}`
    const column = db`r.${db(rename[name] ?? COLUMNS[name] ?? name)}`
    if (name === 'applicationId' && value === PORTAL) return db`${all} and ${column} is not null`
    return db`${all} and ${column}::text is distinct from ${name === 'ip' ? hostText(value) : value}`
  }, db``)
}

/** SQL: conditions that exclude what is in no column of the record, by the name of the filter. */
const EXCLUSIONS: Readonly<Record<string, (db: Db, value: string) => SqlFragment>> = {
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

/** Every form uses the index: a complete address, a network, and a beginning by the addresses that begin with it. */
function addressIs(db: Db, filter: IpFilter): SqlFragment {
  if (!filter) return db``
  if ('network' in filter) return db`and ${ipMatches(db, db`r.ip`, filter)}`
  const { beginning } = filter
  if (isIP(beginning) && !beginning.endsWith(':')) return db`and r.ip = ${beginning}::inet`
  const bounds = boundsOf(beginning).map(
    ([first, last]) => db`r.ip between ${first}::text::inet and ${last}::text::inet`,
  )
  const [first = db`false`, ...others] = bounds
  // An IPv6 address may be written shorter than its bounds tell.
  return db`and (${others.reduce((all, one) => db`${all} or ${one}`, first)}) and ${ipMatches(db, db`r.ip`, filter)}`
}

/** SQL: a condition or its negation; nothing if neither is requested. */
function flag(db: Db, wanted: boolean | null, condition: SqlFragment): SqlFragment {
  if (wanted === null) return db``
  return wanted ? db`and ${condition}` : db`and not (${condition})`
}

const given = <T>(db: Db, wanted: T | null, condition: (wanted: T) => SqlFragment): SqlFragment =>
  wanted === null ? db`` : db`and ${condition(wanted)}`

const commonConditions = (db: Db, filter: CommonFilter): SqlFragment => db`
  ${equalities(db, {
    user_id: filter.userId,
    ip_range: filter.ipRange,
    client_type: filter.clientType,
    sso_session_id: filter.session,
  })}
  ${given(db, filter.applicationId, (id) => (id === PORTAL ? db`r.application_id is null` : db`r.application_id = ${id}`))}
  ${addressIs(db, filter.ip)} ${flag(db, filter.onCampus, db`r.on_campus`)}`

const authTypeIs = (db: Db, wanted: string | null): SqlFragment =>
  given(db, wanted, (type) =>
    type === 'third-party' ? db`r.auth_type <> all(${[...OWN_AUTH_TYPES]})` : db`r.auth_type = ${type}`,
  )

const factorIs = (db: Db, wanted: string | null): SqlFragment =>
  given(db, wanted, (factor) => (factor === 'none' ? db`r.second_factor is null` : db`r.second_factor = ${factor}`))

const commonColumns = (db: Db) => db`
  ${keyColumns(db)}, r.application_id, host(r.ip) as ip, r.ip_range, r.on_campus, r.client_type,
  r.sso_session_id as session`
const applicationOf = (db: Db) => db`left join applications a on a.id = r.application_id and not a.built_in`

type AttemptRow = LineRow & {
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
export type LoginRow = AttemptRow & {
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
export type VisitRow = AttemptRow & { entry: 'portal' | 'sign-on' | 'application'; protocol: string | null }

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
  joins: (db) => db`${applicationOf(db)} left join third_party_providers p on p.key = r.auth_type`,
  occurrences: loginOccurrences(filter),
})

export const visitSource = (filter: VisitFilter): LogSource => ({
  table: 'visit_records',
  conditions: (db) => db`${commonConditions(db, filter)}
    ${equalities(db, { refusal: filter.reason, entry: filter.entry })} ${flag(db, filter.succeeded, db`r.refusal is null`)}
    ${given(db, filter.protocol, (protocol) => db`r.application_id in (select id from applications where protocol = ${protocol})`)}
    ${given(db, filter.session, (id) => db`r.user_id = (select l.user_id from login_records l where l.sso_session_id = ${id} limit 1)`)}
    ${exclusions(db, filter.without, { reason: 'refusal' })}`,
  columns: (db, language) => db`${commonColumns(db)}, ${peopleColumns(db, language)}, r.refusal is null as succeeded,
    r.refusal as reason, r.entry, a.protocol, ${localized(db, 'a', language)} as application`,
  joins: applicationOf,
  occurrences: visitOccurrences(filter),
})
