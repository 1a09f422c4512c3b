import type { Db } from '../../platform/db.ts'

/** Any constant. */
const SUPER_USER_LOCK = 7_402_151

/** SQL condition: is the person `u` a super user whose account lets them log in now? */
export const isUsableSuperUser = (db: Db, now: Date) => db`
  (u.is_super_user and u.enabled and u.activated and u.deleted_at is null
    and (u.locked_at is null or u.locked_until <= ${now})
    and (u.frozen_from is null or u.frozen_from > ${now} or u.frozen_until <= ${now})
    and (u.valid_from is null or u.valid_from <= ${now}) and (u.valid_until is null or u.valid_until > ${now}))`

/** SQL condition: the same, now and in the foreseeable future. */
const isLastingSuperUser = (db: Db, now: Date) => db`
  (${isUsableSuperUser(db, now)} and (u.frozen_from is null or u.frozen_until <= ${now}) and u.valid_until is null)`

/**
 * Would no super user be left without these people? Takes a lock until the end of the transaction, so that of two who would leave nobody,
 * one is rejected: call it with the people's rows locked, then write.
 */
export async function wouldLeaveNoSuperUser(
  db: Db,
  withoutIds: readonly string[],
  now: Date,
  /** False for a check that writes nothing. */
  lock = true,
): Promise<boolean> {
  if (lock) await db`select pg_advisory_xact_lock(${SUPER_USER_LOCK})`
  const [row] = await db<{ someone: boolean; concerned: boolean }[]>`
    select
      exists (select from users u where u.is_super_user and ${isLastingSuperUser(db, now)} and u.id <> all(${withoutIds as string[]}::uuid[])) as someone,
      exists (select from users u where u.is_super_user and ${isLastingSuperUser(db, now)} and u.id = any(${withoutIds as string[]}::uuid[])) as concerned`
  return row?.concerned === true && !row.someone
}
