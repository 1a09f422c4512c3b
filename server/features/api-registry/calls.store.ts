import type { Db, SqlFragment } from '../../platform/db.ts'
import { listPage, type Page, type PageQuery } from '../../platform/list.ts'

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
      g.calls_per_minute, coalesce(i.enabled, true) as interface_enabled,
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

function matchingCalls(db: Db, { applicationId, apiId, result, from, to }: CallFilter): SqlFragment {
  return db`
    from api_call_records r
    where r.application_id = ${applicationId} and r.at >= ${from} ${to ? db`and r.at < ${to}` : db``}
      ${apiId ? db`and r.api_id = ${apiId}` : db``}
      ${result ? (result === 'refused' ? db`and r.status >= 400` : db`and r.status < 400`) : db``}`
}

export function pageOfCalls(
  db: Db,
  filter: CallFilter,
  oldestFirst: boolean,
  query: PageQuery,
): Promise<Page<CallRow>> {
  const from = matchingCalls(db, filter)
  return listPage(db, query, from, ({ asc, desc, bounds }) => {
    const direction = oldestFirst ? asc : desc
    return db<CallRow[]>`
      select r.id, r.at, r.api_id, r.status, r.code, r.ms, host(r.ip) as ip, r.request_id
      ${from} order by r.at ${direction}, r.id ${direction} ${bounds}`
  })
}

/** Partitions of call records that ended before a moment. */
export const listPartitionsBefore = (db: Db, month: string) => db<{ name: string }[]>`
  select c.relname as name from pg_inherits h join pg_class c on c.oid = h.inhrelid
  where h.inhparent = 'api_call_records'::regclass and c.relname ~ '_\\d{4}_\\d\\d$'
    and c.relname < ${`api_call_records_${month}`}`

/** Deletes rows outside every month's partition. */
export const deleteCallsBefore = (db: Db, before: Date) => db`delete from api_call_records_other where at < ${before}`
