import type { Db } from '../../platform/db.ts'

/** A stretch of the table of people, in the order in which it lies: read so, a step costs what it reads, and nobody is looked up. */
export type Blocks = { from: number; to: number }

/** How long the table is. */
export async function countUserBlocks(db: Db): Promise<number> {
  const [row] = await db<{ blocks: number }[]>`
    select (pg_relation_size('users') / current_setting('block_size')::int)::int as blocks`
  return row?.blocks ?? 0
}

/** SQL condition: does the person `u` lie there? */
export const withinBlocks = (db: Db, { from, to }: Blocks) => db`
  u.ctid >= ${`(${from},0)`}::text::tid and u.ctid < ${`(${to},0)`}::text::tid`
