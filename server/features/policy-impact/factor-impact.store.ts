import type { Db } from '../../platform/db.ts'
import { factsKey, mayBeNamed, type NamedPeople, type RuleNeeds } from '../access/index.ts'
import { hasFactorCondition } from '../second-factors/index.ts'
import { type Blocks, withinBlocks } from './user-blocks.store.ts'

/** People of whom rules are told the same, and who are alike in having a second factor, with one of them. */
export type Alike = { key: string; hasFactor: boolean; first: string; count: number }

const couldLogIn = (db: Db) => db`u.deleted_at is null and u.enabled and u.activated`

/** Whom of these could log in, in groups; of these blocks of the table, as far as it lasts, or (null) all of it, which several processes share. */
export const listAlike = (
  db: Db,
  needs: RuleNeeds,
  { named, blocks }: { named: NamedPeople; blocks: Blocks | null },
) => db<Alike[]>`
  select ${factsKey(db, needs)} as key, ${hasFactorCondition(db)} as "hasFactor", min(u.id::text) as first, count(*)::int as count
  from users u where ${blocks ? withinBlocks(db, blocks) : db`true`} and ${couldLogIn(db)}
    and (${mayBeNamed(db, named)}) group by 1, 2`

/** Some people of these groups; with a second factor or without (null: no matter). */
export const listOfGroups = async (
  db: Db,
  needs: RuleNeeds,
  { keys, hasFactor, limit }: { keys: readonly string[]; hasFactor: boolean | null; limit: number },
): Promise<string[]> => {
  const rows = await db<{ id: string }[]>`
    select u.id from users u where ${couldLogIn(db)} and ${factsKey(db, needs)} = any(${keys as string[]}::text[])
      ${hasFactor === null ? db`` : db`and ${hasFactorCondition(db)} = ${hasFactor}`} limit ${limit}`
  return rows.map(({ id }) => id)
}
