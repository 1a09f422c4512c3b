import type { ProfileCompletion } from '#shared/contract/profile.ts'
import type { Db } from '../../platform/db.ts'
import { toFragment } from '../../platform/statement.ts'
import { lackedText, REQUIRABLE_FIELDS, type RequiredField } from '../access/index.ts'
import type { Profile } from '../user-accounts/index.ts'

export type CompletionRow = Pick<ProfileCompletion, 'name' | 'version'> &
  Profile & {
    /** Of all product fields that can be required. */
    lacked: RequiredField[]
    customValues: Record<string, string> | null
  }

const LACKED = lackedText(REQUIRABLE_FIELDS)

/** @param isLocked until the transaction ends: of two windows the second sees what the first has saved */
export async function findCompletion(db: Db, userId: string, { isLocked = false } = {}): Promise<CompletionRow | null> {
  const [row] = await db<CompletionRow[]>`
    select u.name, u.nickname, u.birthday::text as birthday, u.gender, u.avatar_id, u.version,
      u.custom_values,
      ${toFragment(db, LACKED, {})} as lacked
    from users u where u.id = ${userId} and u.deleted_at is null ${isLocked ? db`for update` : db``}`
  return row ?? null
}
