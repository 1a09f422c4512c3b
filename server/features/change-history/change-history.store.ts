import type { Db, SqlFragment } from '../../platform/db.ts'
import { escapeLike } from '../../platform/list.ts'
import type { Snapshot } from '../records/index.ts'

export type ChangeRow = {
  id: string
  at: Date
  action: string
  targetKind: string
  targetId: string
  /** The account concerned. */
  userId: string | null
  actor: string
  actorId: string | null
  actorAccount: string | null
  actorName: string | null
  reason: string | null
  ip: string | null
  userAgent: string
  requestId: string
  before: Snapshot | null
  after: Snapshot | null
}

/** Where a page ended: the time with all its digits, which a Date would truncate. */
export type Cursor = { at: string; id: string }

/** What records are searched for. */
export type ChangeSearch = {
  /** Part of a reason or of the state before or after; or a complete address, request id or target id. */
  text: string
  /** Actions whose message contains the text. */
  actions: readonly string[]
  /** People whom it may refer to. */
  userIds: readonly string[]
}

export type ChangeFilter = {
  /** Only these kinds; each is read from its own index, so that a rare one doesn't require scanning the others. */
  kinds: readonly string[]
  targetId: string | null
  userId: string | null
  /** Done by one of these people. */
  actorIds: readonly string[] | null
  /** Done by one of these actors that are no logged-in person. */
  actorWords: readonly string[] | null
  search: ChangeSearch | null
  from: Date | null
  to: Date | null
  cursor: Cursor | null
  /** Number of records to read, latest first; the search is limited to these. */
  window: number
  /** Show the records of one application of the bootstrap file as one. */
  folds: boolean
  limit: number
}

/** A record, or the latest of several that are shown as one. */
export type FoldedRow = ChangeRow & {
  lines: number
  /** When the first of them was written. */
  firstAt: Date
  /** The position of the first of them. */
  end: Cursor
}

const bounds = (db: Db, { from, to, cursor }: ChangeFilter): SqlFragment => db`
  ${from ? db`and r.at >= ${from}` : db``} ${to ? db`and r.at < ${to}` : db``}
  ${
    cursor
      ? db`and r.at <= ${cursor.at}::text::timestamptz
    and (r.at, r.id) < (${cursor.at}::text::timestamptz, ${cursor.id}::uuid)`
      : db``
  }`

const latestQuery = (db: Db, condition: SqlFragment, filter: ChangeFilter): SqlFragment => db`
  select r.* from audit_records r where ${condition} ${bounds(db, filter)} order by r.at desc, r.id desc limit ${filter.window}`

/** What people change about themselves does not belong to the back office, and is far more than everything else. Backed by an index. */
const isByOthers = (db: Db): SqlFragment => db`(r.user_id is null or r.actor_id is distinct from r.user_id)`

function sourceQuery(db: Db, filter: ChangeFilter): SqlFragment {
  const { kinds, targetId, userId, actorIds } = filter
  if (userId !== null) return latestQuery(db, db`r.user_id = ${userId}`, filter)
  if (targetId !== null) {
    const actor = actorIds ? db`and r.actor_id = any(${actorIds as string[]}::uuid[])` : db``
    const condition = db`r.target_kind = k.kind and r.target_id = ${targetId} ${actor}`
    return db`
      select l.* from unnest(${kinds as string[]}::text[]) k(kind) cross join lateral (${latestQuery(db, condition, filter)}) l`
  }
  if (actorIds) {
    const condition = db`r.actor_id = a.id and r.target_kind = any(${kinds as string[]}) and ${isByOthers(db)}`
    return db`
      select l.* from unnest(${actorIds as string[]}::uuid[]) a(id) cross join lateral (${latestQuery(db, condition, filter)}) l`
  }
  return db`
    select l.* from unnest(${kinds as string[]}::text[]) k(kind)
    cross join lateral (${latestQuery(db, db`r.target_kind = k.kind and ${isByOthers(db)}`, filter)}) l`
}

/** The records to read. */
const windowQuery = (db: Db, filter: ChangeFilter): SqlFragment => db`
  select r.* from (${sourceQuery(db, filter)}) r order by r.at desc, r.id desc limit ${filter.window}`

function matchesSearch(db: Db, { search, actorWords }: ChangeFilter): SqlFragment {
  const words = actorWords ? db`(r.actor_id is null and r.actor = any(${actorWords as string[]}))` : db`true`
  if (!search) return words
  const { text, actions, userIds } = search
  const part = `%${escapeLike(text)}%`
  return db`${words} and (r.reason ilike ${part} or r.before::text ilike ${part} or r.after::text ilike ${part}
    or r.target_id = ${text} or r.request_id = ${text} or host(r.ip) = ${text} or r.action = any(${actions as string[]})
    or r.user_id = any(${userIds as string[]}::uuid[]) or r.actor_id = any(${userIds as string[]}::uuid[]))`
}

const timestampText = (db: Db, at: SqlFragment): SqlFragment =>
  db`to_char(${at} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

const columns = (db: Db): SqlFragment => db`
  r.id, r.at, r.action, r.target_kind, r.target_id, r.user_id, r.actor, r.actor_id,
  u.account as actor_account, u.name as actor_name, r.reason, host(r.ip) as ip, r.user_agent,
  r.request_id, r.before, r.after`

/**
 * The latest changes first, after the cursor: matching records of the window. Consecutive records of the bootstrap file, written by one
 * application of it, are one row if the filter folds.
 */
export async function changesAfter(db: Db, filter: ChangeFilter): Promise<FoldedRow[]> {
  const rows = await db<(Omit<FoldedRow, 'end'> & { endAt: string; endId: string })[]>`
    with looked_at as materialized (${windowQuery(db, filter)}),
    found as (select * from looked_at r where ${matchesSearch(db, filter)}),
    marked as (
      select at, id, (${filter.folds} and actor = 'bootstrap' and lag(actor) over latest = 'bootstrap'
        and request_id = lag(request_id) over latest) is not true as is_first
      from found window latest as (order by at desc, id desc)
    ), numbered as (
      select at, id, count(*) filter (where is_first) over (order by at desc, id desc) as fold from marked
    ), folded as (
      select count(*)::int as lines, max(at) as at, (array_agg(id order by at desc, id desc))[1] as id,
        min(at) as first_at, (array_agg(id order by at, id))[1] as first_id
      from numbered group by fold order by max(at) desc, (array_agg(id order by at desc, id desc))[1] desc limit ${filter.limit}
    )
    select ${columns(db)}, f.lines, f.first_at, ${timestampText(db, db`f.first_at`)} as end_at, f.first_id as end_id
    from folded f join found r on r.at = f.at and r.id = f.id left join users u on u.id = r.actor_id
    order by r.at desc, r.id desc`
  return rows.map(({ endAt, endId, ...row }) => ({ ...row, end: { at: endAt, id: endId } }))
}

/** The last record of a full window; null if there are no further records. */
export async function endOfWindow(db: Db, filter: ChangeFilter): Promise<Cursor | null> {
  const [row] = await db<(Cursor & { lines: number })[]>`
    with looked_at as (${windowQuery(db, filter)})
    select ${timestampText(db, db`r.at`)} as at, r.id, (select count(*)::int from looked_at) as lines
    from looked_at r order by r.at, r.id limit 1`
  return row && row.lines >= filter.window ? { at: row.at, id: row.id } : null
}

/** A change by its time too, so that one partition answers. */
export async function findChange(db: Db, { id, at }: { id: string; at: Date }): Promise<ChangeRow | null> {
  const [row] = await db<ChangeRow[]>`
    select ${columns(db)} from audit_records r left join users u on u.id = r.actor_id
    where r.id = ${id} and r.at >= ${at} and r.at < ${new Date(at.getTime() + 1)}`
  return row ?? null
}

type NamesQuery = (db: Db, ids: string[]) => SqlFragment

const applications: NamesQuery = (db, ids) => db`select id::text, name from applications where id = any(${ids}::uuid[])`
const roles: NamesQuery = (db, ids) => db`select id::text, name from roles where id = any(${ids}::uuid[])`

const NAMES_QUERIES: Readonly<Record<string, NamesQuery>> = {
  application: applications,
  'application-grant': applications,
  'application-interface': applications,
  'application-key': applications,
  'application-category': (db, ids) =>
    db`select id::text, name from application_categories where id = any(${ids}::uuid[])`,
  organization: (db, ids) => db`select id::text, name from organizations where id = any(${ids}::uuid[])`,
  role: roles,
  'role-member': roles,
  user: (db, ids) => db`select id::text, name from users where id = any(${ids}::uuid[])`,
  appointment: (db, ids) => db`
    select a.id::text, u.name from appointments a join users u on u.id = a.user_id where a.id = any(${ids}::uuid[])`,
  'user-category': (db, ids) => db`select id::text, name from user_categories where id = any(${ids}::uuid[])`,
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** The current names of targets of a kind, by id; those without a name and deleted ones are missing. Null: unknown kind. */
export async function findTargetNames(
  db: Db,
  kind: string,
  ids: readonly string[],
): Promise<Map<string, string> | null> {
  const name = NAMES_QUERIES[kind]
  if (!name) return null
  const uuids = ids.filter((id) => UUID.test(id))
  if (uuids.length === 0) return new Map()
  const rows = await db<{ id: string; name: string }[]>`${name(db, uuids)}`
  return new Map(rows.map((row) => [row.id, row.name]))
}
