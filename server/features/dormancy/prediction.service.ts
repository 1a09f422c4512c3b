import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import type { Db } from '../../platform/db.ts'
import { isTooMuch, nextRunAt, type SweepCounts } from './dormancy.rules.ts'
import { countDue, type EndedTerm, listEnded, listEndedSuperUsers } from './dormancy.store.ts'
import { findSpared } from './spared.service.ts'
import { termsOf } from './terms.service.ts'

/** What the next run would do; `isHeld`: it would be held first, because that is so many at once. */
export type PredictedRun = SweepCounts & { isHeld: boolean; ended: { dormant: EndedTerm[]; lock: EndedTerm[] } }

const NONE: PredictedRun = {
  people: 0,
  dormant: 0,
  locked: 0,
  told: 0,
  isHeld: false,
  ended: { dormant: [], lock: [] },
}

/**
 * What tomorrow night's run would do under a policy, if nobody logs in before, by the same queries as the run itself. Writes nothing.
 * @param ask runs each statement @param limit of people listed by name, per term
 */
export async function predictRun(
  ask: <T>(statement: (db: Db) => PromiseLike<T>) => Promise<T>,
  policy: SignInPolicy,
  { now, limit }: { now: Date; limit: number },
): Promise<PredictedRun> {
  const terms = termsOf(policy, nextRunAt(now))
  if (terms.afterDays === 0) return NONE
  const due = await ask((db) => countDue(db, terms))
  const superUsers = await ask((db) => listEndedSuperUsers(db, terms))
  const idsOf = (isDormant: boolean) =>
    superUsers.flatMap(({ id, dormantSince }) => ((dormantSince !== null) === isDormant ? [id] : []))
  const how = { at: terms.at, lock: false }
  const awake = await ask((db) => findSpared(db, idsOf(false), { ...how, term: 'dormant' }))
  const open = await ask((db) => findSpared(db, idsOf(true), { ...how, term: 'lock' }))
  const ended = due.dormant + due.locked === 0 ? [] : await ask((db) => listEnded(db, terms, limit))
  const { dormant = [], lock = [] } = Object.groupBy(
    ended.filter(({ id }) => !awake.has(id) && !open.has(id)),
    ({ dormantSince }) => (dormantSince ? 'lock' : 'dormant'),
  )
  const counts = { ...due, dormant: due.dormant - awake.size, locked: due.locked - open.size }
  return { ...counts, isHeld: isTooMuch(due), ended: { dormant, lock } }
}
