import type { Db } from '../../platform/db.ts'
import { factsKey, mayBeNamed, type NamedPeople, type RuleNeeds } from '../access/index.ts'
import { hasFactorCondition } from '../second-factors/index.ts'
import { type Blocks, withinBlocks } from './user-blocks.store.ts'

/** People who are equivalent for the rules and in having a second factor, with one of them. */
export type Alike = { key: string; hasFactor: boolean; first: string; count: number }

const couldLogIn = (db: Db) => db`u.deleted_at is null and u.enabled and u.activated`

/** Those of them who could log in, grouped; from these blocks of the table, or (null) all of it with parallel workers. */
export const listAlike = (
  db: Db,
  needs: RuleNeeds,
  { named, blocks }: { named: NamedPeople; blocks: Blocks | null },
) => db<Alike[]>`
  select ${factsKey(db, needs)} as key, ${hasFactorCondition(db)} as has_factor, min(u.id::text) as first, count(*)::int as count
  from users u where ${blocks ? withinBlocks(db, blocks) : db`true`} and ${couldLogIn(db)}
    and (${mayBeNamed(db, named)}) group by 1, 2`

/** Examples from these groups; with a second factor or without (null: either). */
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
