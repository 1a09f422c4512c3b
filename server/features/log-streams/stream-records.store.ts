import type { RecordKind } from '#shared/contract/record-retention.ts'
import type { StreamRecord } from '../../connectors/index.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'

/** The last record sent: its time as the database writes it, to the microsecond, and its id. */
export type Position = { at: string; id: string }

/** For how long our oldest transaction has been open, in milliseconds: what it writes is dated at its beginning. */
export async function findOldestTransaction(db: Db): Promise<number> {
  const [row] = await db<{ ms: number }[]>`
    select coalesce(max(extract(epoch from clock_timestamp() - xact_start)), 0)::float8 * 1000 as ms
    from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
      and (application_name like 'gatehouse%' or backend_xid is not null)`
  return row?.ms ?? 0
}

/** The details of each record `r`: as written, with the current names for its ids. */
const TOLD: Readonly<Record<RecordKind, { columns: (db: Db) => SqlFragment; joins: (db: Db) => SqlFragment }>> = {
  login: {
    columns: (db) => db`
      'account', r.account, 'userId', r.user_id, 'authType', r.auth_type, 'succeeded', r.succeeded, 'reason', r.reason,
      'ip', host(r.ip), 'range', r.ip_range, 'onCampus', r.on_campus, 'application', a.app_id, 'applicationId', r.application_id,
      'clientType', r.client_type, 'browser', r.browser, 'device', r.device, 'userAgent', r.user_agent,
      'secondFactor', r.second_factor, 'rules', r.rule_outcomes, 'session', r.sso_session_id, 'requestId', r.request_id`,
    joins: (db) => db`left join applications a on a.id = r.application_id`,
  },
  visit: {
    columns: (db) => db`
      'account', u.account, 'userId', r.user_id, 'result', case when r.refusal is null then 'granted' else 'refused' end,
      'reason', r.refusal, 'application', a.app_id, 'applicationId', r.application_id, 'entry', r.entry, 'ip', host(r.ip),
      'range', r.ip_range, 'onCampus', r.on_campus, 'clientType', r.client_type, 'session', r.sso_session_id`,
    joins: (db) => db`left join users u on u.id = r.user_id left join applications a on a.id = r.application_id`,
  },
  audit: {
    columns: (db) => db`
      'action', r.action, 'account', u.account, 'actorId', r.actor_id, 'actor', r.actor, 'targetKind', r.target_kind,
      'targetId', r.target_id, 'userId', r.user_id, 'reason', r.reason, 'ip', host(r.ip), 'userAgent', nullif(r.user_agent, ''),
      'requestId', nullif(r.request_id, ''), 'before', r.before, 'after', r.after`,
    joins: (db) => db`left join users u on u.id = r.actor_id`,
  },
}

const withoutNulls = (content: object) =>
  Object.fromEntries(Object.entries(content).filter(([, value]) => value !== null))

/** The next records after a position, oldest first; none from the horizon on. */
export async function listNextRecords(
  db: Db,
  log: RecordKind,
  { after, before, limit }: { after: Position; before: Date; limit: number },
): Promise<{ position: Position; record: StreamRecord }[]> {
  const { columns, joins } = TOLD[log]
  const rows = await db<{ position: string; at: Date; id: string; content: object }[]>`
    select r.at::text as position, r.at, r.id, json_build_object(${columns(db)}) as content
    from (
      select * from ${db(`${log}_records`)}
      where at >= ${after.at}::text::timestamptz and (at, id) > (${after.at}::text::timestamptz, ${after.id}::uuid) and at < ${before}
      order by at, id limit ${limit}) r
    ${joins(db)}
    order by r.at, r.id`
  return rows.map(({ position, at, id, content }) => ({
    position: { at: position, id },
    record: { log, id, at: at.toISOString(), ...withoutNulls(content) },
  }))
}

export type Waiting = { count: number; since: Date | null }

/** How many records wait after a position, up to `most`, and since when. */
export async function countWaiting(db: Db, log: RecordKind, after: Position, most: number): Promise<Waiting> {
  const [row] = await db<Waiting[]>`
    select count(*)::int as count, min(at) as since from (
      select at from ${db(`${log}_records`)}
      where at >= ${after.at}::text::timestamptz and (at, id) > (${after.at}::text::timestamptz, ${after.id}::uuid)
      order by at, id limit ${most}) r`
  return row ?? { count: 0, since: null }
}
