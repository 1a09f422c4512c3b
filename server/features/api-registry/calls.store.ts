import type { PendingQuery, Row } from 'postgres'
import type { Db } from '../../platform/db.ts'
import { countUpTo10000, type PageWindow, type Total } from '../../platform/list.ts'

export type KeyRow = { id: string; sealed: string; lastUsedAt: string | null }

export type CallerRow = {
  id: string
  appId: string
  enabled: boolean
  granted: boolean
  interfaceEnabled: boolean
  callsPerMinute: number | null
  /** Those that are valid now. */
  keys: KeyRow[]
}

const NIL_UUID = '00000000-0000-0000-0000-000000000000'

/**
 * An application that signs calls, with what the authorisation needs about one interface, in one round trip. An unknown name causes the
 * same lookup, so that it takes as long.
 */
export async function findCaller(db: Db, appId: string, apiId: string, now: Date): Promise<CallerRow | null> {
  const [row] = await db<(Omit<CallerRow, 'id'> & { id: string | null })[]>`
    select a.id, a.app_id, a.enabled, g.api_id is not null as granted,
      g.calls_per_minute, coalesce(i.enabled, true) as "interfaceEnabled",
      (select coalesce(jsonb_agg(jsonb_build_object('id', k.id, 'sealed', k.sealed, 'lastUsedAt', k.last_used_at)), '[]')
        from application_keys k
        where k.application_id = coalesce(a.id, ${NIL_UUID}) and (k.valid_until is null or k.valid_until > ${now})) as keys
    from (select 1) as one
      left join applications a on a.app_id = ${appId} and not a.built_in
      left join application_interfaces g on g.application_id = coalesce(a.id, ${NIL_UUID}) and g.api_id = ${apiId}
      left join interfaces i on i.api_id = ${apiId}`
  return row && row.id !== null ? { ...row, id: row.id } : null
}

export async function updateKeyLastUse(db: Db, id: string, at: Date): Promise<void> {
  await db`update application_keys set last_used_at = ${at} where id = ${id}`
}

type NewCall = {
  id: string
  at: Date
  applicationId: string
  apiId: string
  status: number
  code: string | null
  ms: number
  ip: string
  requestId: string
}

export async function insertCall(db: Db, call: NewCall): Promise<void> {
  await db`
    insert into api_call_records (id, at, application_id, api_id, status, code, ms, ip, request_id)
    values (${call.id}, ${call.at}, ${call.applicationId}, ${call.apiId}, ${call.status}, ${call.code}, ${call.ms},
      ${call.ip}, ${call.requestId})`
}

export type CallRow = Omit<NewCall, 'applicationId'>

export type CallFilter = {
  applicationId: string
  apiId: string | null
  result: 'answered' | 'refused' | null
  from: Date
  to: Date | null
}

function matchingCalls(db: Db, { applicationId, apiId, result, from, to }: CallFilter): PendingQuery<Row[]> {
  return db`
    from api_call_records r
    where r.application_id = ${applicationId} and r.at >= ${from} ${to ? db`and r.at < ${to}` : db``}
      ${apiId ? db`and r.api_id = ${apiId}` : db``}
      ${result ? (result === 'refused' ? db`and r.status >= 400` : db`and r.status < 400`) : db``}`
}

export const countCalls = (db: Db, filter: CallFilter): Promise<Total> =>
  countUpTo10000(db, db`select 1 ${matchingCalls(db, filter)}`)

export async function pageOfCalls(
  db: Db,
  filter: CallFilter,
  oldestFirst: boolean,
  window: PageWindow,
): Promise<CallRow[]> {
  const direction = oldestFirst === window.reverse ? db`desc` : db`asc`
  const rows = await db<CallRow[]>`
    select r.id, r.at, r.api_id, r.status, r.code, r.ms, host(r.ip) as ip, r.request_id
    ${matchingCalls(db, filter)} order by r.at ${direction}, r.id ${direction} limit ${window.limit} offset ${window.offset}`
  return window.reverse ? rows.toReversed() : [...rows]
}

/** Partitions of call records that ended before a moment. */
export const listPartitionsBefore = (db: Db, month: string) => db<{ name: string }[]>`
  select c.relname as name from pg_inherits h join pg_class c on c.oid = h.inhrelid
  where h.inhparent = 'api_call_records'::regclass and c.relname ~ '_\\d{4}_\\d\\d$'
    and c.relname < ${`api_call_records_${month}`}`

/** Deletes rows outside every month's partition, and counts that have expired. */
export async function deleteCallsBefore(db: Db, records: Date, hours: Date): Promise<void> {
  await db`delete from api_call_records_other where at < ${records}`
  await db`delete from api_call_hours where hour < ${hours}`
}
