import type { z } from 'zod'
import type { Language } from '#shared/contract/endpoint.ts'
import { OWN_AUTH_TYPES } from '#shared/contract/records.ts'
import type { CurrentLogin } from '#shared/contract/sessions.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'
import { escapeLike, type IpFilter, ipMatches, listPage, type Page, type PageQuery } from '../../platform/list.ts'
import { localized } from '../../platform/localized.ts'
import { rowMatchesAny, type SearchPredicate } from '../name-search/index.ts'
import type { ActivityCutoff } from './session-activity.rules.ts'

const isLive = (db: Db, { now, idleSince }: ActivityCutoff) =>
  db`s.ended_at is null and s.expires_at > ${now} and (s.remembered or s.last_seen_at > ${idleSince})`

export type LoginRow = {
  id: string
  browser: string
  device: string
  clientType: z.infer<typeof CurrentLogin>['clientType']
  ip: string
  onCampus: boolean
  authType: string
  remembered: boolean
  openedAt: Date
  lastSeenAt: Date
}

const loginColumns = (db: Db) => db`
  s.id, s.browser, s.device, s.client_type, host(s.ip) as ip, s.on_campus,
  s.auth_type, s.remembered, s.opened_at, s.last_seen_at`

/** SQL value: the name of the third party by which session `s` logged in; null for another method. */
export const providerOfLogin = (db: Db, language: Language) =>
  db`(select ${localized(db, 't', language)} from third_party_providers t where t.key = s.auth_type)`

type LoginOfProvider = LoginRow & { provider: string | null }

type OwnLoginsFilter = ActivityCutoff & { userId: string; search: string }

/** SQL condition: the browser, device or address of session `s` contains `search`; true for an empty one. */
export function deviceMatches(db: Db, search: string) {
  if (search === '') return db`true`
  const pattern = `%${escapeLike(search)}%`
  return db`(s.browser ilike ${pattern} or s.device ilike ${pattern} or host(s.ip) ilike ${pattern})`
}

const ownLoginRows = (db: Db, { userId, search, ...moment }: OwnLoginsFilter) => db`
  from sso_sessions s where s.user_id = ${userId} and ${isLive(db, moment)} and ${deviceMatches(db, search)}`

/** The session behind this request comes first, then the latest seen. */
export function myLoginsPage(
  db: Db,
  mine: OwnLoginsFilter & { currentId: string; language: Language },
  query: PageQuery,
): Promise<Page<LoginOfProvider>> {
  const from = ownLoginRows(db, mine)
  return listPage(
    db,
    query,
    from,
    ({ desc, bounds }) => db<LoginOfProvider[]>`
      select ${loginColumns(db)}, ${providerOfLogin(db, mine.language)} as provider ${from}
      order by s.id = ${mine.currentId} ${desc}, s.last_seen_at ${desc}, s.id ${desc} ${bounds}`,
  )
}

/** Far above what anybody has; the rest ends at the next login. */
const MAX_OTHER_LOGINS = 1000

/** A person's valid logins except one, the longest unused first. */
export const listOtherLogins = (
  db: Db,
  { userId, exceptId, ...moment }: ActivityCutoff & { userId: string; exceptId: string | null },
) => db<LoginRow[]>`
  select ${loginColumns(db)} ${ownLoginRows(db, { ...moment, userId, search: '' })}
    and s.id is distinct from ${exceptId}::uuid
  order by s.last_seen_at, s.id limit ${MAX_OTHER_LOGINS}`

export type ManagedLoginRow = LoginOfProvider & {
  userId: string
  account: string
  name: string
  organization: string | null
  factor: 'totp' | 'recovery' | 'passkey' | 'device' | null
}

/** Networks of a range, and those of other ranges inside them: the smallest one that contains an address decides. */
export type RangeNetworks = { networks: string[]; inner: string[] }

/** @returns no networks if no range in use has that name */
export async function findRangeNetworks(db: Db, name: string): Promise<RangeNetworks> {
  const [row] = await db<RangeNetworks[]>`
    with wanted as (select n from ip_ranges r, unnest(r.networks) n where r.enabled and r.name = ${name})
    select coalesce((select array_agg(n::text) from wanted), '{}') as networks,
      coalesce((select array_agg(n::text) from ip_ranges r, unnest(r.networks) n
        where r.enabled and r.name <> ${name} and exists (select from wanted w where n <<= w.n)), '{}') as inner`
  return row ?? { networks: [], inner: [] }
}

export type ManagedLoginFilter = ActivityCutoff & {
  userId: string | null
  organizationId: string | null
  ip: IpFilter
  range: RangeNetworks | null
  clientType: string | null
  onCampus: boolean | null
  authType: string | null
  factor: string | null
  applicationId: string | null
  remembered: boolean | null
  seenBefore: Date | null
  /** Leaves this one out. */
  exceptId: string | null
  /** How to match the person; null: anybody. */
  predicates: readonly SearchPredicate[] | null
  /** Exact matches, which come first. */
  exact: readonly SearchPredicate[]
}

const optional = <T>(db: Db, wanted: T | null, condition: (wanted: T) => SqlFragment): SqlFragment =>
  wanted === null ? db`` : db`and ${condition(wanted)}`

/** The prefix length of the smallest network that contains the address of session `s`; -1: none does. */
const smallestNetwork = (db: Db, networks: string[]) => db`
  coalesce((select max(masklen(n)) from unnest(${networks}::cidr[]) n where s.ip <<= n), -1)`

/** SQL condition: login method and network. */
const loginConditions = (db: Db, filter: ManagedLoginFilter): SqlFragment => db`
  and ${ipMatches(db, db`s.ip`, filter.ip)}
  ${optional(db, filter.range, ({ networks, inner }) => db`${smallestNetwork(db, networks)} > ${smallestNetwork(db, inner)}`)}
  ${optional(db, filter.clientType, (type) => db`s.client_type = ${type}`)}
  ${optional(db, filter.onCampus, (isOn) => db`s.on_campus = ${isOn}`)}
  ${optional(db, filter.authType, (type) =>
    type === 'third-party' ? db`s.auth_type <> all(${[...OWN_AUTH_TYPES]})` : db`s.auth_type = ${type}`,
  )}
  ${optional(db, filter.factor, (factor) => (factor === 'none' ? db`s.second_factor is null` : db`s.second_factor = ${factor}`))}
  ${optional(db, filter.remembered, (isSo) => db`s.remembered = ${isSo}`)}
  ${optional(db, filter.seenBefore, (time) => db`s.last_seen_at < ${time}`)}`

/** The person `u` as the session stores them. */
const ownerOfSession = (db: Db) => db`cross join lateral (
  select s.user_id as id, s.account, s.name, s.name_pinyin, s.name_initials, s.phone, s.mailbox) u`

const liveRows = (db: Db, filter: ManagedLoginFilter) => db`
  from sso_sessions s ${filter.predicates ? ownerOfSession(db) : db``}
  where ${isLive(db, filter)} ${filter.predicates ? db`and ${rowMatchesAny(db, filter.predicates)}` : db``}
    ${optional(db, filter.userId, (id) => db`s.user_id = ${id}`)}
    ${optional(db, filter.exceptId, (id) => db`s.id <> ${id}`)}
    ${loginConditions(db, filter)}
    ${optional(
      db,
      filter.organizationId,
      (id) => db`exists (select from users p join organizations o on o.id = p.organization_id
        where p.id = s.user_id and p.deleted_at is null and o.ancestor_ids @> array[${id}::uuid])`,
    )}
    ${optional(
      db,
      filter.applicationId,
      (id) => db`(exists (select from session_services e
          where e.sso_session_id = s.id and e.application_id = ${id} and e.ticket is not null)
        or exists (select from session_clients e where e.sso_session_id = s.id and e.application_id = ${id}))`,
    )}`

/** The ids of a page of everybody's logins by login time, `oldestFirst` or newest first; exact matches of the person come before. */
export function pageOfLoginIds(
  db: Db,
  filter: ManagedLoginFilter & { oldestFirst: boolean },
  query: PageQuery,
): Promise<Page<{ id: string }>> {
  const from = liveRows(db, filter)
  return listPage(db, query, from, ({ asc, desc, bounds }) => {
    const direction = filter.oldestFirst ? asc : desc
    const first = filter.exact.length === 0 ? db`` : db`not ${rowMatchesAny(db, filter.exact)} ${asc},`
    return db<{ id: string }[]>`
      select s.id ${from} order by ${first} s.opened_at ${direction}, s.id ${direction} ${bounds}`
  })
}

export async function countAllLogins(db: Db, filter: ManagedLoginFilter): Promise<number> {
  const [found] = await db<{ count: number }[]>`select count(*)::int as count ${liveRows(db, filter)}`
  return found?.count ?? 0
}

/** Any logins that match, at most `most`. */
export async function listSomeLoginIds(db: Db, filter: ManagedLoginFilter, most: number): Promise<string[]> {
  const rows = await db<{ id: string }[]>`select s.id ${liveRows(db, filter)} limit ${most}`
  return rows.map(({ id }) => id)
}

/** The logins with these ids, in that order. Organisations and providers by their name in `language`. */
export const listLoginsByIds = (db: Db, ids: readonly string[], language: Language) => db<ManagedLoginRow[]>`
  select ${loginColumns(db)}, s.second_factor as factor, ${providerOfLogin(db, language)} as provider,
    u.id as user_id, u.account, u.name, ${localized(db, 'o', language)} as organization
  from unnest(${ids as string[]}::uuid[]) with ordinality p(id, position) join sso_sessions s on s.id = p.id
    join users u on u.id = s.user_id left join organizations o on o.id = u.organization_id
  order by p.position`

/** The people of these sessions, ended ones included; unknown ids are missing from the answer. */
export const listLoginOwners = (db: Db, ids: string[]) => db<
  { id: string; userId: string; account: string; ip: string }[]
>`
  select s.id, s.user_id, u.account, host(s.ip) as ip
  from sso_sessions s join users u on u.id = s.user_id where s.id = any(${ids}::uuid[])`
