import type { Db } from '../../platform/db.ts'
import { wouldLeaveNoSuperUser } from '../user-accounts/index.ts'
import { listDormantSuperUserIds } from './dormancy.store.ts'

/**
 * Which of these super users, in the order in which a run reaches them, are spared, because no other super user would be left: active,
 * where they would become dormant, or able to log in, where they would be locked.
 * @param how.lock as in `wouldLeaveNoSuperUser`
 */
export async function findSpared(
  db: Db,
  superUserIds: readonly string[],
  { at, term, lock = true }: { at: Date; term: 'dormant' | 'lock'; lock?: boolean },
): Promise<ReadonlySet<string>> {
  const spared = new Set<string>()
  if (superUserIds.length === 0) return spared
  const lost = term === 'dormant' ? await listDormantSuperUserIds(db) : []
  for (const id of superUserIds) {
    if (await wouldLeaveNoSuperUser(db, [...lost, id], at, lock)) spared.add(id)
    else lost.push(id)
  }
  return spared
}
