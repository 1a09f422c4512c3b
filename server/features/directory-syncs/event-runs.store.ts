import { DAY_MS, HOUR_MS } from '#shared/rules/durations.ts'
import type { Db } from '../../platform/db.ts'
import type { DueSync } from '../sync-runs/index.ts'

export type EventSync = DueSync & {
  /** Null: it needs a full run. */
  eventsUntil: string | null
  people: number
}

/** A waiting plan is not replaced for this long, as somebody may be reviewing it. */
const REVIEW_MS = 2 * DAY_MS
/** Minimum time between full runs. */
const FULL_MS = HOUR_MS

/**
 * Locks the scheduled syncs whose source has new events and that have had a full run. People named by events are read by name; anything
 * else, and whatever can't be read by name, waits for the next full run. A full run that somebody undid or discarded is not repeated: they
 * saw what it would do.
 */
export const lockEventSyncs = (db: Db, now: Date) => db<EventSync[]>`
  select y.id, y.name, y.schedule, n.until as events_until, n.people
  from directory_syncs y
  cross join lateral (select max(r.started_at) filter (where r.state = 'done') as done, max(r.started_at) as at,
      max(r.started_at) filter (where r.state in ('done', 'undone') or (r.state = 'discarded' and r.problem is null)) as settled
    from directory_sync_runs r where r.sync_id = y.id and r.mode = 'full' and not r.dry_run
      and (y.objects = 'departments' or r.objects = 'people')) f
  cross join lateral (select max(e.id)::text as until, count(distinct p)::int as people
    from source_events e, unnest(e.people) p
    where e.source_id = y.source_id and e.id > y.events_seen and y.objects <> 'departments' and y.table_name = 'people') n
  where y.schedule is not null and f.done is not null
    and not exists (select from directory_sync_runs r where r.source_id = y.source_id
      and r.state in ('reading', 'planning', 'applying', 'undoing'))
    and not exists (select from directory_sync_runs r where r.sync_id = y.id and r.state in ('planned', 'held')
      and r.started_at > ${new Date(now.getTime() - REVIEW_MS)})
    and (n.until is not null or (f.at < ${new Date(now.getTime() - FULL_MS)} and (
      y.full_run_due_since > f.settled
      or exists (select from source_events e where e.source_id = y.source_id and e.needs_all and e.received_at > f.settled)
      or exists (select from directory_sync_runs r where r.sync_id = y.id and r.events_until is not null
        and r.state = 'failed' and r.started_at > f.settled))))
  order by y.id limit 100 for update of y skip locked`

/** The distinct people named by the events that a run covers. */
export async function listEventPeople(db: Db, runId: string): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select distinct p as id from directory_sync_runs r join directory_syncs y on y.id = r.sync_id
    join source_events e on e.source_id = r.source_id and e.id > y.events_seen and e.id <= r.events_until, unnest(e.people) p
    where r.id = ${runId} order by p`
  return rows.map(({ id }) => id)
}

export const setEventsSeen = (db: Db, syncId: string, until: string) => db`
  update directory_syncs set events_seen = greatest(events_seen, ${until}::bigint) where id = ${syncId}`

/** Leaves the events up to `until` that a sync has not read yet to its next full run, the first that starts after `at`. */
export const leaveToFullRun = (db: Db, syncId: string, until: string, at: Date) => db`
  update directory_syncs set events_seen = greatest(events_seen, ${until}::bigint), full_run_due_since = ${at}
  where id = ${syncId}`

/** Marks the events of interrupted runs as seen. As after a failed run, a full run covers their people. */
export const setEventsOfRunsSeen = (db: Db, runIds: readonly string[]) => db`
  update directory_syncs y set events_seen = greatest(y.events_seen, r.events_until) from directory_sync_runs r
  where r.id = any(${runIds as string[]}::uuid[]) and r.events_until is not null and y.id = r.sync_id`
