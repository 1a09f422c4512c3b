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
  const canonical = name === null ? null : canonicalLoginName(name)
  // Asked before the former name is let go: two people who want each other's would wait for each other for ever.
  const owner = canonical === null ? null : await ownerOf(db, canonical)
  if (owner !== null && owner !== userId) return false
  await db`delete from login_names where user_id = ${userId} and kind = ${kind}`
  if (canonical === null) return true
  const taken = await db`
    insert into login_names (canonical, user_id, kind) values (${canonical}, ${userId}, ${kind})
    on conflict (canonical) do nothing`
  return taken.count > 0 || (await ownerOf(db, canonical)) === userId
}

async function ownerOf(db: Db, canonical: string): Promise<string | null> {
  const [row] = await db<{ userId: string }[]>`
    select user_id as "userId" from login_names where canonical = ${canonical}`
  return row?.userId ?? null
}
