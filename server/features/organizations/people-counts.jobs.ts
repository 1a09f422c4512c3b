import { withAdvisoryLock } from '../../platform/advisory-lock.ts'
import type { Platform } from '../../platform/platform.ts'
import { foldChanges, recount } from './people-counts.store.ts'

/** Folding and counting anew never meet: each reads what the other writes. */
const COUNT_LOCK = 7_402_141

const FOLD_BATCH_SIZE = 50_000

/** Keeps the changes few, so that every sum stays short. */
export const foldPeopleCounts = ({ sql }: Platform): Promise<void> =>
  withAdvisoryLock(sql, COUNT_LOCK, async () => {
    while ((await foldChanges(sql, FOLD_BATCH_SIZE)) === FOLD_BATCH_SIZE);
  })

/** Heals whatever a restore or a hand in the database has put out of step. */
export const recountPeople = ({ sql }: Platform): Promise<void> => withAdvisoryLock(sql, COUNT_LOCK, () => recount(sql))
