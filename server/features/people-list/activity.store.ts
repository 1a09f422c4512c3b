import type { Language } from '#shared/contract/endpoint.ts'
import type { PersonSession } from '#shared/contract/user-verbs.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'
import { listPage, type Page, type PageQuery } from '../../platform/list.ts'
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

export function pageOfSessions(
  db: Db,
  live: LiveSessionFilter & { language: Language },
  query: PageQuery,
): Promise<Page<SessionRow>> {
  const from = liveSessionsFrom(db, live)
  return listPage(
    db,
    query,
    from,
    ({ desc, bounds }) => db<SessionRow[]>`
      select s.id, s.browser, s.device, s.client_type, host(s.ip) as ip, s.on_campus,
        s.auth_type, ${providerOfLogin(db, live.language)} as provider, s.opened_at, s.last_seen_at ${from}
      order by s.last_seen_at ${desc}, s.id ${desc} ${bounds}`,
  )
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

type RecordSource = { columns: SqlFragment; rows: SqlFragment }

const recordSources = (db: Db, userId: string): Record<'login' | 'change', RecordSource> => ({
  login: {
    columns: db`r.id, r.at, r.auth_type as what, r.succeeded, r.reason as refusal, null as by, host(r.ip) as ip, true as is_own,
      concat_ws(' · ', nullif(r.browser, ''), nullif(r.device, ''), r.ip_range) as detail`,
    rows: db`from login_records r where r.user_id = ${userId}`,
  },
  change: {
    columns: db`r.id, r.at, r.action as what, true as succeeded, null as refusal,
      (select a.name from users a where a.id = r.actor_id and a.id <> ${userId}) as by, host(r.ip) as ip,
      r.actor_id is not distinct from ${userId} as is_own, coalesce(r.reason, '') as detail`,
    rows: db`from audit_records r where r.user_id = ${userId}`,
  },
})

export function pageOfRecords(
  db: Db,
  userId: string,
  kind: 'login' | 'change',
  query: PageQuery,
): Promise<Page<RecordRow>> {
  const { columns, rows } = recordSources(db, userId)[kind]
  return listPage(
    db,
    query,
    rows,
    ({ desc, bounds }) => db<RecordRow[]>`select ${columns} ${rows} order by r.at ${desc}, r.id ${desc} ${bounds}`,
  )
}
