import { withAdvisoryLock } from '../../platform/advisory-lock.ts'
import type { Platform } from '../../platform/platform.ts'
import { foldChanges, recount } from './people-counts.store.ts'

/** Folding and recounting must not overlap: each reads what the other writes. */
const COUNT_LOCK = 7_402_141

const FOLD_BATCH_SIZE = 50_000

/** Keeps the pending changes few, so that every sum stays cheap. */
export const foldPeopleCounts = ({ sql }: Platform): Promise<void> =>
  withAdvisoryLock(sql, COUNT_LOCK, async () => {
    while ((await foldChanges(sql, FOLD_BATCH_SIZE)) === FOLD_BATCH_SIZE);
  })

/** Repairs counts after a restore or manual changes in the database. */
export const recountPeople = ({ sql }: Platform): Promise<void> => withAdvisoryLock(sql, COUNT_LOCK, () => recount(sql))
