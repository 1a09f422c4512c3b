import type { Db } from '../../platform/db.ts'

/** A part of the users table in physical order: a step then costs what it reads, without index lookups. */
export type Blocks = { from: number; to: number }

/** The number of blocks of the table. */
export async function countUserBlocks(db: Db): Promise<number> {
  const [row] = await db<{ blocks: number }[]>`
    select (pg_relation_size('users') / current_setting('block_size')::int)::int as blocks`
  return row?.blocks ?? 0
}

/** SQL condition: is the row of the person `u` in these blocks? */
export const withinBlocks = (db: Db, { from, to }: Blocks) => db`
  u.ctid >= ${`(${from},0)`}::text::tid and u.ctid < ${`(${to},0)`}::text::tid`
