import type { DataSourceKind } from '#shared/contract/data-sources.ts'
import type { VendorEvent } from '../../connectors/index.ts'
import type { Db } from '../../platform/db.ts'

export type Callback = {
  secrets: string
  setUpAt: Date
  echoedAt: Date | null
  lastEventAt: Date | null
  /** The kind of the source. */
  kind: DataSourceKind
  /** The corporation or application that its messages are for. */
  receiver: string
}

export async function findCallback(db: Db, sourceId: string): Promise<Callback | null> {
  const [row] = await db<Callback[]>`
    select c.secrets, c.set_up_at, c.echoed_at, c.last_event_at, s.kind, s.user_name as receiver
    from source_callbacks c join data_sources s on s.id = c.source_id where c.source_id = ${sourceId}`
  return row ?? null
}

/** Replaces the previous callback. */
export async function saveCallback(db: Db, sourceId: string, secrets: string, at: Date): Promise<void> {
  await db`
    insert into source_callbacks (source_id, secrets, set_up_at) values (${sourceId}, ${secrets}, ${at})
    on conflict (source_id) do update set secrets = excluded.secrets, set_up_at = excluded.set_up_at, echoed_at = null`
}

/** @returns false if there was none. */
export async function deleteCallback(db: Db, sourceId: string): Promise<boolean> {
  const { count } = await db`delete from source_callbacks where source_id = ${sourceId}`
  return count > 0
}

export const noteEcho = (db: Db, sourceId: string, at: Date) => db`
  update source_callbacks set echoed_at = ${at} where source_id = ${sourceId}`

export type NewEvent = Pick<VendorEvent, 'people' | 'needsAll'> & { digest: Buffer }

/**
 * Stores each event once, in the caller's transaction. Transactions of a source run one after the other, so that whoever reads up to an id
 * has seen all before it.
 */
export async function insertEvents(db: Db, sourceId: string, events: readonly NewEvent[], at: Date): Promise<void> {
  await db`update source_callbacks set last_event_at = ${at} where source_id = ${sourceId}`
  const rows = events
    .filter(({ people, needsAll }) => people.length > 0 || needsAll)
    .map(({ digest, people, needsAll }) => ({ digest: digest.toString('hex'), people, needsAll }))
  if (rows.length === 0) return
  await db`
    insert into source_events (source_id, digest, people, needs_all, received_at)
    select ${sourceId}, decode(g.digest, 'hex'), array(select jsonb_array_elements_text(g.people)), g."needsAll", ${at}
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as g(digest text, people jsonb, "needsAll" boolean)
    on conflict (source_id, digest) do nothing`
}

export async function countEvents(db: Db, sourceId: string, since: Date): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from source_events where source_id = ${sourceId} and received_at >= ${since}`
  return row?.count ?? 0
}

export const deleteEvents = (db: Db, before: Date) => db`delete from source_events where received_at < ${before}`

/** When the vendor last verified the address of a source of this corporation or application; null: nothing is set up. */
export async function findEcho(db: Db, kind: string, user: string): Promise<{ echoedAt: Date | null } | null> {
  const [row] = await db<{ echoedAt: Date | null }[]>`
    select max(c.echoed_at) as echoed_at from source_callbacks c join data_sources s on s.id = c.source_id
    where s.kind = ${kind} and s.user_name = ${user} having count(*) > 0`
  return row ?? null
}
