import type { PendingQuery, Row } from 'postgres'
import type { Language } from '#shared/contract/endpoint.ts'
import type { PersonSession } from '#shared/contract/user-verbs.ts'
import type { Db } from '../../platform/db.ts'
import { countUpTo10000, type PageWindow, type Total } from '../../platform/list.ts'
import { deviceMatches, providerOfLogin } from '../sessions/index.ts'

/**
 * As in the list of current logins: valid until its absolute end and, unless it is remembered, while it was last seen after `idleSince`.
 */
type LiveSessionFilter = { userId: string; now: Date; idleSince: Date; search: string }

const liveSessionsFrom = (db: Db, { userId, now, idleSince, search }: LiveSessionFilter) => db`
  from sso_sessions s where s.user_id = ${userId} and s.ended_at is null and s.expires_at > ${now}
    and (s.remembered or s.last_seen_at > ${idleSince}) and ${deviceMatches(db, search)}`

export type SessionRow = Omit<PersonSession, 'loginTime' | 'lastSeen' | 'current'> & {
  openedAt: Date
  lastSeenAt: Date
}

export const countSessions = (db: Db, live: LiveSessionFilter): Promise<Total> =>
  countUpTo10000(db, db`select 1 ${liveSessionsFrom(db, live)}`)

export async function pageOfSessions(
  db: Db,
  live: LiveSessionFilter & { language: Language },
  { reverse, limit, offset }: PageWindow,
): Promise<SessionRow[]> {
  const direction = reverse ? db`asc` : db`desc`
  const rows = await db<SessionRow[]>`
    select s.id, s.browser, s.device, s.client_type, host(s.ip) as ip, s.on_campus,
      s.auth_type, ${providerOfLogin(db, live.language)} as provider, s.opened_at, s.last_seen_at ${liveSessionsFrom(db, live)}
    order by s.last_seen_at ${direction}, s.id ${direction} limit ${limit} offset ${offset}`
  return reverse ? rows.toReversed() : [...rows]
}

export type RecordRow = {
  id: string
  at: Date
  what: string
  succeeded: boolean
  refusal: string | null
  by: string | null
  ip: string | null
  /** Done by the person themselves. */
  isOwn: boolean
  detail: string
}

type RecordSource = { columns: PendingQuery<Row[]>; rows: PendingQuery<Row[]> }

const recordSources = (db: Db, userId: string): Record<'login' | 'change', RecordSource> => ({
  login: {
    columns: db`r.id, r.at, r.auth_type as what, r.succeeded, r.reason as refusal, null as by, host(r.ip) as ip, true as "isOwn",
      concat_ws(' · ', nullif(r.browser, ''), nullif(r.device, ''), r.ip_range) as detail`,
    rows: db`from login_records r where r.user_id = ${userId}`,
  },
  change: {
    columns: db`r.id, r.at, r.action as what, true as succeeded, null as refusal,
      (select a.name from users a where a.id = r.actor_id and a.id <> ${userId}) as by, host(r.ip) as ip,
      r.actor_id is not distinct from ${userId} as "isOwn", coalesce(r.reason, '') as detail`,
    rows: db`from audit_records r where r.user_id = ${userId}`,
  },
})

export const countRecords = (db: Db, userId: string, kind: 'login' | 'change'): Promise<Total> =>
  countUpTo10000(db, db`select 1 ${recordSources(db, userId)[kind].rows}`)

export async function pageOfRecords(
  db: Db,
  userId: string,
  kind: 'login' | 'change',
  { reverse, limit, offset }: PageWindow,
): Promise<RecordRow[]> {
  const { columns, rows: from } = recordSources(db, userId)[kind]
  const direction = reverse ? db`asc` : db`desc`
  const rows = await db<RecordRow[]>`
    select ${columns} ${from} order by r.at ${direction}, r.id ${direction} limit ${limit} offset ${offset}`
  return reverse ? rows.toReversed() : [...rows]
}
