import type { Db } from '../../platform/db.ts'
import type { FailureInput } from './attempts.store.ts'

type LoginLock = Pick<FailureInput, 'kind' | 'key'> & { userId: string; at: Date; until: Date }

/**
 * Saves a person's lock by failed logins.
 * @returns `again`: an earlier one ran out, with no login since; null: this lock was saved before.
 */
export async function insertLoginLock(db: Db, lock: LoginLock): Promise<{ again: boolean } | null> {
  const { kind, key, userId, at, until } = lock
  const [row] = await db<{ again: boolean }[]>`
    insert into login_locks (kind, key, user_id, locked_at, locked_until) values (${kind}, ${key}, ${userId}, ${at}, ${until})
    on conflict do nothing
    returning exists (
      select from login_locks l join users u on u.id = l.user_id
      where l.user_id = ${userId} and l.kind = ${kind} and l.key = ${key}
        and l.locked_at > coalesce(u.last_login_at, '-infinity')) as again`
  return row ?? null
}

/** At most so many, without those that another node is marking; or all of one counter. */
export type OverLocks = { limit: number } | Pick<LoginLock, 'kind' | 'key'>

/** Marks locks that have run out; call it in a transaction that records them. */
export const expireLoginLocks = (db: Db, now: Date, which: OverLocks) => db<ExpiredLoginLock[]>`
  with ended as materialized (
    select kind, key, locked_until from login_locks
    where not expired and locked_until <= ${now}
    ${
      'limit' in which
        ? db`order by locked_until limit ${which.limit} for no key update skip locked`
        : db`and kind = ${which.kind} and key = ${which.key} order by locked_until for no key update`
    })
  update login_locks l set expired = true from ended e
  where (l.kind, l.key, l.locked_until) = (e.kind, e.key, e.locked_until)
  returning l.user_id, l.kind, l.locked_until`

type ExpiredLoginLock = { userId: string; kind: FailureInput['kind']; lockedUntil: Date }
