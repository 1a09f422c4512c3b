import type { Language } from '#shared/contract/endpoint.ts'
import { OWN_AUTH_TYPES } from '#shared/contract/records.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'
import { escapeLike, type IpFilter, ipMatches, listPage, type Page, type PageQuery } from '../../platform/list.ts'
import { localized } from '../../platform/localized.ts'

/** A list of records `r` with a time `at`: the columns, and the source of its rows. */
export type RecordSource = {
  columns: SqlFragment
  rows: SqlFragment
  /** Columns computed only for the rows of one page, which are `r` then too. */
  extra?: SqlFragment
}

export type RecordsFilter = {
  userId: string
  language: Language
  search: string
  from: Date | null
  to: Date | null
  ip: IpFilter
}

/** Bounded by time if requested, so that other months' partitions are not read. */
const commonConditions = (db: Db, { from, to, ip }: RecordsFilter) => db`
  ${from ? db`and r.at >= ${from}` : db``} ${to ? db`and r.at < ${to}` : db``}
  ${ip ? db`and ${ipMatches(db, db`r.ip`, ip)}` : db``}`

const contains = (text: string): string => `%${escapeLike(text)}%`

export type AuthenticationFilter = RecordsFilter & {
  clientType: string | null
  authType: string | null
  succeeded: boolean | null
  onCampus: boolean | null
}

export type AuthenticationRow = {
  id: string
  at: Date
  logoutAt: Date | null
  account: string
  authType: string
  provider: string | null
  succeeded: boolean
  reason: string | null
  browser: string
  device: string
  clientType: 'pc' | 'mobile' | 'tablet' | 'other'
  ip: string
  onCampus: boolean
  ipRange: string | null
  ssoSessionId: string | null
  application: string | null
  unusual?: boolean
}

/** How many previous logins define what is usual for a person. */
const USUAL_LOGINS = 50

function authTypeIs(db: Db, wanted: AuthenticationFilter['authType']) {
  if (wanted === null) return db``
  if (wanted === 'third-party') return db`and r.auth_type <> all(${[...OWN_AUTH_TYPES]})`
  return db`and r.auth_type = ${wanted}`
}

export function authenticationsSource(db: Db, filter: AuthenticationFilter): RecordSource {
  const { userId, language, search, clientType, authType, succeeded, onCampus } = filter
  const pattern = contains(search)
  const application = localized(db, 'a', language)
  return {
    columns: db`r.id, r.at, r.logout_at, r.account, r.auth_type, r.succeeded, r.reason, r.browser,
      r.device, r.client_type, host(r.ip) as ip, r.on_campus, r.ip_range,
      r.sso_session_id, ${application} as application,
      ${localized(db, 'p', language)} as provider`,
    rows: db`
      from login_records r left join applications a on a.id = r.application_id and not a.built_in
        left join third_party_providers p on p.key = r.auth_type
      where r.user_id = ${userId} ${commonConditions(db, filter)}
        ${search ? db`and (r.account ilike ${pattern} or r.browser ilike ${pattern} or r.device ilike ${pattern} or ${application} ilike ${pattern})` : db``}
        ${clientType ? db`and r.client_type = ${clientType}` : db``}
        ${authTypeIs(db, authType)}
        ${succeeded === null ? db`` : db`and r.succeeded = ${succeeded}`}
        ${onCampus === null ? db`` : db`and r.on_campus = ${onCampus}`}`,
    // A new version of the same browser is not unusual; neither is the very first login.
    extra: db`r.succeeded and (
      select count(*) > 0 and not bool_or(e.device = r.device and e.browser = regexp_replace(r.browser, ' \\d+$', ''))
      from (
        select device, regexp_replace(browser, ' \\d+$', '') as browser from login_records
        where user_id = ${userId} and at < r.at and at > r.at - interval '180 days' and succeeded
        order by at desc limit ${USUAL_LOGINS}
      ) e) as unusual`,
  }
}

export type MaintenanceFilter = RecordsFilter & {
  actions: readonly string[]
  /** Actions whose message contains the search text. */
  worded: readonly string[]
  by: 'self' | 'other' | 'system' | null
}

export type MaintenanceRow = {
  id: string
  at: Date
  action: string
  actorId: string | null
  actorName: string | null
  isSelf: boolean
  isSystem: boolean
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  reason: string | null
  ip: string | null
  userAgent: string
}

export function maintenanceSource(db: Db, filter: MaintenanceFilter): RecordSource {
  const { userId, search, actions, worded, by } = filter
  // During a login there was no session yet: the record names the person as text.
  const isSelf = db`r.actor = ${userId}`
  const isSystem = db`r.actor_id is null`
  const conditions = {
    self: db`and ${isSelf}`,
    other: db`and not ${isSelf} and not ${isSystem}`,
    system: db`and not ${isSelf} and ${isSystem}`,
  }
  return {
    columns: db`r.id, r.at, r.action, r.actor_id, u.name as actor_name, ${isSelf} as is_self,
      ${isSystem} as is_system, r.before, r.after, r.reason, host(r.ip) as ip, r.user_agent`,
    rows: db`
      from audit_records r left join users u on u.id = r.actor_id
      where r.user_id = ${userId} and r.action = any(${actions as string[]}) ${commonConditions(db, filter)}
        ${by ? conditions[by] : db``}
        ${search ? db`and (r.action = any(${worded as string[]}) or u.name ilike ${contains(search)})` : db``}`,
  }
}

export type VisitFilter = RecordsFilter & { clientType: string | null; entry: string | null; onCampus: boolean | null }

export type VisitRow = {
  id: string
  at: Date
  application: string | null
  entry: 'portal' | 'sign-on' | 'application'
  clientType: 'pc' | 'mobile' | 'tablet' | 'other'
  ip: string
  onCampus: boolean
}

export function visitsSource(db: Db, filter: VisitFilter): RecordSource {
  const { userId, language, search, clientType, entry, onCampus } = filter
  const application = localized(db, 'a', language)
  return {
    columns: db`r.id, r.at, ${application} as application, r.entry, r.client_type, host(r.ip) as ip,
      r.on_campus`,
    rows: db`
      from visit_records r left join applications a on a.id = r.application_id
      where r.user_id = ${userId} and r.refusal is null ${commonConditions(db, filter)}
        ${search ? db`and ${application} ilike ${contains(search)}` : db``}
        ${clientType ? db`and r.client_type = ${clientType}` : db``}
        ${entry ? db`and r.entry = ${entry}` : db``}
        ${onCampus === null ? db`` : db`and r.on_campus = ${onCampus}`}`,
  }
}

/** By time; `oldestFirst` or newest first. */
export const pageOfRecords = <T extends { at: Date }>(
  db: Db,
  { columns, rows, extra }: RecordSource,
  { oldestFirst }: { oldestFirst: boolean },
  query: PageQuery,
): Promise<Page<T>> =>
  listPage(db, query, rows, ({ asc, desc, bounds }) => {
    const direction = oldestFirst ? asc : desc
    const page = db`select ${columns} ${rows} order by r.at ${direction}, r.id ${direction} ${bounds}`
    return db<T[]>`
      select r.*${extra ? db`, ${extra}` : db``} from (${page}) r order by r.at ${direction}, r.id ${direction}`
  })

/** How many there are, counted up to `limit`. */
export async function countRecordsUpTo(db: Db, { rows }: RecordSource, limit: number): Promise<number> {
  const [found] = await db<{ count: number }[]>`
    select count(*)::int as count from (select 1 ${rows} limit ${limit}) counted`
  return found?.count ?? 0
}

/** Where an export is: the time with all its digits, which a Date would truncate. */
export type ExportPosition = { at: string; id: string }

/** The next rows of an export, found after the last one, so that no connection is held during a slow download. */
export const recordsAfter = <T extends { at: Date }>(
  db: Db,
  { columns, rows }: RecordSource,
  { oldestFirst, after, limit }: { oldestFirst: boolean; after: ExportPosition | null; limit: number },
) => {
  const direction = oldestFirst ? db`asc` : db`desc`
  const sign = oldestFirst ? db`>` : db`<`
  return db<(T & { exactAt: string })[]>`
    select ${columns}, r.at::text as exact_at ${rows}
      ${
        after
          ? db`and r.at ${oldestFirst ? db`>=` : db`<=`} ${after.at}::text::timestamptz
        and (r.at, r.id) ${sign} (${after.at}::text::timestamptz, ${after.id}::uuid)`
          : db``
      }
    order by r.at ${direction}, r.id ${direction} limit ${limit}`
}

/** A person's own login, by its time too, so that one partition and its index suffice. */
export const findLogin = (db: Db, userId: string, { id, at }: { id: string; at: Date }) => db<
  { ssoSessionId: string | null; ip: string; device: string; browser: string }[]
>`
  select sso_session_id, host(ip) as ip, device, browser from login_records
  where user_id = ${userId} and id = ${id} and at >= ${at} and at < ${new Date(at.getTime() + 1)}`
