import type { PendingQuery, Row } from 'postgres'
import type { Db } from '../../platform/db.ts'
import type { Snapshot } from './restorer.ts'

type Sql = PendingQuery<Row[]>

export type ChangeRow = {
  id: string
  at: Date
  action: string
  targetKind: string
  targetId: string
  /** Whose account it concerns. */
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
  /** `at` with all its digits. */
  place: string
}

/** Where a page has got to: the time with all its digits, which a Date would cut. */
export type Cursor = { at: string; id: string }

export type ChangeFilter = {
  /** Of these kinds; each is read from its own index, so that a rare one costs no walk over the others. */
  kinds: readonly string[]
  targetId: string | null
  userId: string | null
  from: Date | null
  to: Date | null
  cursor: Cursor | null
  limit: number
}

const bounds = (db: Db, { from, to, cursor }: ChangeFilter): Sql => db`
  ${from ? db`and r.at >= ${from}` : db``} ${to ? db`and r.at < ${to}` : db``}
  ${
    cursor
      ? db`and r.at <= ${cursor.at}::text::timestamptz
    and (r.at, r.id) < (${cursor.at}::text::timestamptz, ${cursor.id}::uuid)`
      : db``
  }`

const latest = (db: Db, condition: Sql, filter: ChangeFilter): Sql => db`
  select r.* from audit_records r where ${condition} ${bounds(db, filter)} order by r.at desc, r.id desc limit ${filter.limit}`

/** What people change about themselves is no business of the back office, and far more than everything else. An index knows. */
const byOthers = (db: Db): Sql => db`(r.user_id is null or r.actor_id is distinct from r.user_id)`

function source(db: Db, filter: ChangeFilter): Sql {
  const { kinds, targetId, userId } = filter
  if (userId !== null) return latest(db, db`r.user_id = ${userId}`, filter)
  const [only] = kinds
  if (kinds.length === 1 && only !== undefined) {
    const condition = targetId === null ? byOthers(db) : db`r.target_id = ${targetId}`
    return latest(db, db`r.target_kind = ${only} and ${condition}`, filter)
  }
  return db`
    select l.* from unnest(${kinds as string[]}::text[]) k(kind)
    cross join lateral (${latest(db, db`r.target_kind = k.kind and ${byOthers(db)}`, filter)}) l`
}

const columns = (db: Db): Sql => db`
  r.id, r.at, r.action, r.target_kind as "targetKind", r.target_id as "targetId", r.user_id as "userId", r.actor, r.actor_id as "actorId",
  u.account as "actorAccount", u.name as "actorName", r.reason, host(r.ip) as ip, r.user_agent as "userAgent",
  r.request_id as "requestId", r.before, r.after,
  to_char(r.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as place`

/** The latest changes first, after the cursor. */
export const changesAfter = (db: Db, filter: ChangeFilter) => db<ChangeRow[]>`
  select ${columns(db)} from (${source(db, filter)}) r left join users u on u.id = r.actor_id
  order by r.at desc, r.id desc limit ${filter.limit}`

/** A change by its time too, so that one partition answers. */
export async function findChange(db: Db, { id, at }: { id: string; at: Date }): Promise<ChangeRow | null> {
  const [row] = await db<ChangeRow[]>`
    select ${columns(db)} from audit_records r left join users u on u.id = r.actor_id
    where r.id = ${id} and r.at >= ${at} and r.at < ${new Date(at.getTime() + 1)}`
  return row ?? null
}

type Names = (db: Db, ids: string[]) => Sql

const applications: Names = (db, ids) => db`select id::text, name from applications where id = any(${ids}::uuid[])`
const roles: Names = (db, ids) => db`select id::text, name from roles where id = any(${ids}::uuid[])`

const NAMES: Readonly<Record<string, Names>> = {
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
  delegation: (db, ids) => db`
    select d.id::text, u.name from delegations d join users u on u.id = d.user_id where d.id = any(${ids}::uuid[])`,
  'user-category': (db, ids) => db`select id::text, name from user_categories where id = any(${ids}::uuid[])`,
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** What targets of a kind are called today, by id; the nameless and those that are gone are missing. */
export async function namesOfTargets(db: Db, kind: string, ids: readonly string[]): Promise<Map<string, string>> {
  const name = NAMES[kind]
  const uuids = ids.filter((id) => UUID.test(id))
  if (!name || uuids.length === 0) return new Map()
  const rows = await db<{ id: string; name: string }[]>`${name(db, uuids)}`
  return new Map(rows.map((row) => [row.id, row.name]))
}

/** Does this person belong where the caller may look? */
export async function personExists(db: Db, userId: string, mayLook: Sql): Promise<boolean> {
  const rows = await db`select 1 from users u where u.id = ${userId} and ${mayLook}`
  return rows.length > 0
}
