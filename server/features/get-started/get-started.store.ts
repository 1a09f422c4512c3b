import type { Db } from '../../platform/db.ts'
import { hasFactorCondition } from '../second-factors/index.ts'

type Facts = {
  account: string
  hasFactor: boolean
  /** Is there anybody besides super users? */
  hasPeople: boolean
  hasApplication: boolean
}

export async function findFacts(db: Db, userId: string): Promise<Facts> {
  const [row] = await db<Facts[]>`
    select u.account, ${hasFactorCondition(db)} as has_factor,
      exists (select from users where not is_super_user and deleted_at is null) as has_people,
      exists (select from applications where not built_in and deleted_at is null) as has_application
    from users u where u.id = ${userId}`
  return row ?? { account: '', hasFactor: false, hasPeople: false, hasApplication: false }
}
