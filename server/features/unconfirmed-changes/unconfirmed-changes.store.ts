import type { Db } from '../../platform/db.ts'
import type { Snapshot } from '../records/index.ts'

/** The channel notified by a transaction that leaves a change to be confirmed. */
export const CHANNEL = 'gatehouse_unconfirmed_changes'

type NewRow = {
  id: string
  targetKind: string
  targetId: string
  fields: string[]
  before: Snapshot
  after: Snapshot
  madeAt: Date
  madeBy: string | null
  dueAt: Date
}

/** @returns false if the target has one already */
export async function insertUnconfirmed(db: Db, row: NewRow): Promise<boolean> {
  const written = await db`
    insert into unconfirmed_changes (id, target_kind, target_id, fields, before, after, made_at, made_by, due_at)
    values (${row.id}, ${row.targetKind}, ${row.targetId}, ${row.fields}, ${JSON.stringify(row.before)}::text::jsonb,
      ${JSON.stringify(row.after)}::text::jsonb, ${row.madeAt}, ${row.madeBy}, ${row.dueAt})
    on conflict (target_kind, target_id) where settled_at is null do nothing`
  await db`select pg_notify(${CHANNEL}, '')`
  return written.count > 0
}

export type OpenRow = Omit<NewRow, 'madeBy'>

/** A pending one, locked; null: it is settled, or another node is settling it. */
export async function lockOpen(db: Db, id: string): Promise<OpenRow | null> {
  const [row] = await db<OpenRow[]>`
    select id, target_kind, target_id, fields, before, after, made_at,
      due_at
    from unconfirmed_changes where id = ${id} and settled_at is null for update`
  return row ?? null
}

export type Outcome = 'confirmed' | 'taken-back' | 'went-back'

export async function settle(
  db: Db,
  id: string,
  { at, outcome, leftFields }: { at: Date; outcome: Outcome; leftFields: string[] },
): Promise<void> {
  await db`
    update unconfirmed_changes set settled_at = ${at}, outcome = ${outcome}, left_fields = ${leftFields} where id = ${id}`
}

export const postpone = (db: Db, id: string, dueAt: Date) => db`
  update unconfirmed_changes set due_at = ${dueAt} where id = ${id} and settled_at is null`

/** All pending ones, the next due first. */
export const listDue = (db: Db) => db<{ id: string; madeAt: Date; dueAt: Date }[]>`
  select id, made_at, due_at from unconfirmed_changes where settled_at is null order by due_at limit 100`

export type ListedRow = Omit<OpenRow, 'before' | 'after'> & {
  madeById: string | null
  madeByName: string | null
  outcome: 'taken-back' | 'went-back' | null
  settledAt: Date | null
  leftFields: string[]
}

/** Pending ones, and those reversed since `settledSince`. */
export const listRecent = (db: Db, settledSince: Date) => db<ListedRow[]>`
  select c.id, c.target_kind, c.target_id, c.fields, c.made_at, c.due_at,
    u.id as made_by_id, u.name as made_by_name, c.outcome, c.settled_at, c.left_fields
  from unconfirmed_changes c left join users u on u.id = c.made_by
  where c.settled_at is null or (c.settled_at > ${settledSince} and c.outcome <> 'confirmed')
  order by c.made_at desc limit 20`

/** When the login behind this session was made; null: the session is gone. */
export async function findLoginTime(db: Db, ssoSessionId: string): Promise<Date | null> {
  const [row] = await db<{ openedAt: Date }[]>`
    select opened_at from sso_sessions where id = ${ssoSessionId}`
  return row?.openedAt ?? null
}

export const deleteSettled = (db: Db, before: Date) => db`delete from unconfirmed_changes where settled_at < ${before}`
