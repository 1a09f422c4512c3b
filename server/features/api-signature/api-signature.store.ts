import type { Db } from '../../platform/db.ts'

/** Stores a mark; false if it existed already. One statement, so that of parallel replays exactly one is first. */
export async function insertMark(db: Db, mark: Buffer, expiresAt: Date): Promise<boolean> {
  const rows = await db`
    insert into replay_marks (mark, expires_at) values (${mark}, ${expiresAt})
    on conflict (mark) do nothing returning 1 as first`
  return rows.length === 1
}

export async function deleteExpiredMarks(db: Db, now: Date): Promise<void> {
  await db`delete from replay_marks where expires_at < ${now}`
}
