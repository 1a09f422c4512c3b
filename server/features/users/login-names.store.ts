import { canonicalLoginName } from '#shared/rules/login-name.ts'
import type { Db } from '../../platform/db.ts'

type Taking = {
  userId: string
  kind: 'alias' | 'phone' | 'mailbox'
  /** As it is shown; null: the person has none of this kind any more. */
  name: string | null
}

/**
 * Gives a person a login name in place of their former one of that kind, inside the caller's transaction; of parallel takers of one
 * name one gets it. A name that is theirs already under another kind (an account that is the phone number) needs no second row.
 * @returns false when it is somebody else's: roll the transaction back.
 */
export async function takeLoginName(db: Db, { userId, kind, name }: Taking): Promise<boolean> {
  await db`delete from login_names where user_id = ${userId} and kind = ${kind}`
  if (name === null) return true
  const canonical = canonicalLoginName(name)
  const taken = await db`
    insert into login_names (canonical, user_id, kind) values (${canonical}, ${userId}, ${kind})
    on conflict (canonical) do nothing`
  if (taken.count > 0) return true
  const [owner] = await db<{ userId: string }[]>`
    select user_id as "userId" from login_names where canonical = ${canonical}`
  return owner?.userId === userId
}
