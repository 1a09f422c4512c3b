import type { PersonVerb } from '#shared/contract/user-verbs.ts'
import type { FreezeCause } from '#shared/contract/users.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'

export type VerbChange = {
  from: Date | null
  until: Date | null
  reason: string | null
  /** For a freeze: a note for colleagues. */
  note?: string | null
  /** For a freeze. */
  cause?: FreezeCause
  by: string | null
  at: Date
}

/** The start of a freeze that begins at once: long before the time of any node, however far its clock is behind. */
const AT_ONCE = new Date(0)

const noFreeze = (db: Db) => db`
  frozen_at = null, frozen_from = null, frozen_until = null, freeze_reason = null, freeze_note = null, freeze_cause = null,
    frozen_by = null`

const SET_CLAUSES: Record<PersonVerb, (db: Db, change: VerbChange) => SqlFragment> = {
  disable: (db) => db`enabled = false`,
  enable: (db, { at }) => db`enabled = true, awake_from = ${at}`,
  lock: (db, { until, reason, by, at }) => db`
    locked_at = ${at}, locked_until = ${until}, lock_reason = ${reason}, locked_by = ${by}, lock_cause = null`,
  unlock: (db, { at }) => db`
    locked_at = null, locked_until = null, lock_reason = null, locked_by = null, lock_cause = null, awake_from = ${at},
    dormant_since = case when lock_cause = 'dormancy' then null else dormant_since end`,
  freeze: (db, { from, until, reason, note = null, cause = 'other', by, at }) => db`
    frozen_at = ${at}, frozen_from = ${from ?? AT_ONCE}, frozen_until = ${until}, freeze_reason = ${reason}, freeze_note = ${note}, freeze_cause = ${cause},
    frozen_by = ${by}`,
  extend: (db, { until }) => db`frozen_until = ${until}`,
  thaw: (db, { at }) => db`
    ${noFreeze(db)},
    awake_from = ${at}`,
  wake: (db, { at }) => db`
    dormant_since = null, awake_from = ${at},
    locked_at = case when lock_cause = 'dormancy' then null else locked_at end, lock_cause = null`,
  exempt: (db, { until }) => db`dormancy_exempt_until = coalesce(${until}::timestamptz, 'infinity')`,
  end_exemption: (db) => db`dormancy_exempt_until = null`,
  delete: (db, { by, at }) => db`deleted_at = ${at}, deleted_by = ${by}`,
  restore: (db, { at }) => db`deleted_at = null, deleted_by = null, awake_from = ${at}`,
  set_administrator: (db) => db`is_super_user = true`,
  cancel_administrator: (db) => db`is_super_user = false`,
}

export const updateByVerb = (db: Db, verb: PersonVerb, ids: readonly string[], change: VerbChange) => db`
  update users set ${SET_CLAUSES[verb](db, change)}, version = version + 1, updated_at = ${change.at}
  where id = any(${ids as string[]}::uuid[])`

/**
 * SQL statement, without its `returning`, for a login written in one statement: records it for the user `u` selected by `from` (the name of
 * a CTE with `user_id`).
 */
export const loginUpdate = (db: Db, at: Date, from: SqlFragment) => db`
  update users u set last_login_at = ${at}, dormant_since = null from ${from} where u.id = ${from}.user_id`

export async function markActivated(db: Db, userId: string, at: Date): Promise<void> {
  await db`
    update users set activated = true, inactive_since = null, awake_from = ${at}, version = version + 1, updated_at = ${at}
    where id = ${userId}`
}

/** The account must be activated again, like a new one. */
export async function resetActivation(db: Db, userId: string, at: Date): Promise<void> {
  await db`
    update users set activated = false, inactive_since = ${at}, must_change_password = false, version = version + 1, updated_at = ${at}
    where id = ${userId}`
}

export async function markPasswordChanged(db: Db, userId: string, at: Date): Promise<void> {
  await db`
    update users set must_change_password = false, version = version + 1, updated_at = ${at} where id = ${userId}`
}

/** Invalidates everything that was issued to them before. */
export async function markAppointed(db: Db, userIds: readonly string[], at: Date): Promise<void> {
  await db`update users set appointed_at = ${at} where id = any(${userIds as string[]}::uuid[])`
}

/** Lifts everything that keeps this user from acting as super user. */
export async function reinstateSuperUser(db: Db, id: string, at: Date): Promise<void> {
  await db`
    update users set is_super_user = true, enabled = true, activated = true, must_change_password = true,
      locked_at = null, locked_until = null, lock_reason = null, locked_by = null, lock_cause = null,
      ${noFreeze(db)},
      dormant_since = null, awake_from = ${at},
      valid_from = null, valid_until = null, version = version + 1, updated_at = ${at}
    where id = ${id}`
}

/** For imported login records, which did not update the users. */
export async function backfillLastLogins(db: Db): Promise<void> {
  await db`
    update users u set last_login_at = r.at
    from (select user_id, max(at) as at from login_records where succeeded group by user_id) r where u.id = r.user_id`
}

export async function markDormant(db: Db, ids: readonly string[], since: Date, lastLogin: Date): Promise<void> {
  await db`
    update users set dormant_since = ${since}, last_login_at = ${lastLogin} where id = any(${ids as string[]}::uuid[])`
}

/** Makes idle people dormant; does not increment their version. */
export async function makeDormant(db: Db, ids: readonly string[], at: Date): Promise<void> {
  await db`update users set dormant_since = ${at} where id = any(${ids as string[]}::uuid[])`
}

type ExpiredLock = { id: string; account: string; lockedAt: Date; lockedUntil: Date }

/** At most so many, without those whom somebody is changing; or all of these people. */
export type OverLocks = { limit: number } | { ids: readonly string[] }

/** Removes locks by administrators that have run out; idleness counts from their end. @returns whose. */
export const endExpiredLocks = (db: Db, at: Date, which: OverLocks) => db<ExpiredLock[]>`
  with expired as materialized (
    select id, locked_at, locked_until from users
    where locked_at is not null and lock_cause is null and deleted_at is null and locked_until <= ${at}
    ${
      'limit' in which
        ? db`order by id limit ${which.limit} for no key update skip locked`
        : db`and id = any(${which.ids as string[]}::uuid[]) order by id for no key update`
    })
  update users u set locked_at = null, locked_until = null, lock_reason = null, locked_by = null,
    awake_from = greatest(u.awake_from, e.locked_until), updated_at = ${at}
  from expired e where u.id = e.id
  returning u.id, u.account, e.locked_at, e.locked_until`

/** Locks people who stayed dormant, until somebody unlocks or reactivates them. */
export async function lockDormant(db: Db, ids: readonly string[], at: Date): Promise<void> {
  await db`
    update users set locked_at = ${at}, locked_until = null, lock_reason = null, locked_by = null, lock_cause = 'dormancy',
      version = version + 1, updated_at = ${at}
    where id = any(${ids as string[]}::uuid[])`
}
