import type { Db } from '../../platform/db.ts'
import { factsKey, type RuleNeeds } from '../access/index.ts'
import { hasFactorCondition } from '../second-factors/index.ts'
import { type Blocks, withinBlocks } from './user-blocks.store.ts'

/** People of whom rules are told the same, and who are alike in having a second factor, with the ids of some of them. */
export type Alike = { key: string; hasFactor: boolean; ids: string[]; count: number }

/** Who of these blocks of the table could log in, as far as it lasts, in groups. */
export const listAlike = (db: Db, needs: RuleNeeds, blocks: Blocks, limit: number) => db<Alike[]>`
  select ${factsKey(db, needs)} as key, ${hasFactorCondition(db)} as "hasFactor", (array_agg(u.id))[1:${limit}::int] as ids,
    count(*)::int as count
  from users u where ${withinBlocks(db, blocks)} and u.deleted_at is null and u.enabled and u.activated group by 1, 2`
