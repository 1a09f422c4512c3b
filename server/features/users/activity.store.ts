import type { PendingQuery, Row } from 'postgres'
import type { Db } from '../../platform/db.ts'
import { countUpTo10000, type Stretch, type Total } from '../../platform/list.ts'

/** As in the list of current logins: until its absolute end, and unless it is remembered, while it was seen after `idleSince`. */
type Live = { userId: string; now: Date; idleSince: Date }

const sessionsOf = (db: Db, { userId, now, idleSince }: Live) => db`
  from sso_sessions s where s.user_id = ${userId} and s.ended_at is null and s.expires_at > ${now}
    and (s.remembered or s.last_seen_at > ${idleSince})`

export type SessionRead = {
  id: string
  browser: string
  device: string
  clientType: string
  ip: string
  onCampus: boolean
  authType: string
  openedAt: Date
  lastSeenAt: Date
}

export const countSessions = (db: Db, live: Live): Promise<Total> =>
  countUpTo10000(db, db`select 1 ${sessionsOf(db, live)}`)

export async function pageOfSessions(db: Db, live: Live, { reverse, limit, offset }: Stretch): Promise<SessionRead[]> {
  const first = reverse ? db`asc` : db`desc`
  const rows = await db<SessionRead[]>`
    select s.id, s.browser, s.device, s.client_type as "clientType", host(s.ip) as ip, s.on_campus as "onCampus",
      s.auth_type as "authType", s.opened_at as "openedAt", s.last_seen_at as "lastSeenAt" ${sessionsOf(db, live)}
    order by s.last_seen_at ${first}, s.id ${first} limit ${limit} offset ${offset}`
  return reverse ? rows.toReversed() : [...rows]
}

/** Which of these sessions (all, without ids) are open ones of this person. */
export async function openSessionIds(db: Db, userId: string, ids: readonly string[] | undefined): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from sso_sessions where user_id = ${userId} and ended_at is null
      ${ids ? db`and id = any(${ids as string[]}::uuid[])` : db``} limit 10000`
  return rows.map(({ id }) => id)
}

export type RecordRead = {
  id: string
  at: Date
  what: string
  succeeded: boolean
  by: string | null
  ip: string | null
  /** It was the person who did it. */
  isOwn: boolean
  detail: string
}

type Source = { columns: PendingQuery<Row[]>; rows: PendingQuery<Row[]> }

const sources = (db: Db, userId: string): Record<'login' | 'change', Source> => ({
  login: {
    columns: db`r.id, r.at, r.auth_type as what, r.succeeded, null as by, host(r.ip) as ip, true as "isOwn",
      concat_ws(' · ', nullif(r.browser, ''), nullif(r.device, '')) as detail`,
    rows: db`from login_records r where r.user_id = ${userId}`,
  },
  change: {
    columns: db`r.id, r.at, r.action as what, true as succeeded,
      (select a.name from users a where a.id = r.actor_id and a.id <> ${userId}) as by, host(r.ip) as ip,
      r.actor_id is not distinct from ${userId} as "isOwn", coalesce(r.reason, '') as detail`,
    rows: db`from audit_records r where r.user_id = ${userId}`,
  },
})

export const countRecords = (db: Db, userId: string, kind: 'login' | 'change'): Promise<Total> =>
  countUpTo10000(db, db`select 1 ${sources(db, userId)[kind].rows}`)

export async function pageOfRecords(
  db: Db,
  userId: string,
  kind: 'login' | 'change',
  { reverse, limit, offset }: Stretch,
): Promise<RecordRead[]> {
  const { columns, rows: from } = sources(db, userId)[kind]
  const first = reverse ? db`asc` : db`desc`
  const rows = await db<RecordRead[]>`
    select ${columns} ${from} order by r.at ${first}, r.id ${first} limit ${limit} offset ${offset}`
  return reverse ? rows.toReversed() : [...rows]
}
