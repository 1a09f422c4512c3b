import type { PendingQuery, Row } from 'postgres'
import type { PersonVerb } from '#shared/contract/user-verbs.ts'
import type { Db } from '../../platform/db.ts'
import type { LoginNameKind } from './login-names.store.ts'

/** Somebody that a verb is about, with the facts that verbs change. */
export type Target = Record<LoginNameKind, string | null> & {
  id: string
  account: string
  name: string
  mayManage: boolean
  isSuperUser: boolean
  enabled: boolean
  lockedAt: Date | null
  lockedUntil: Date | null
  isBlocked: boolean
  frozenFrom: Date | null
  frozenUntil: Date | null
  deletedAt: Date | null
}

/** These people with their rows locked until the end of the transaction, in one order. */
export async function lockTargets(db: Db, ids: readonly string[], mayManage: PendingQuery<Row[]>, now: Date) {
  await db`select from users where id = any(${ids as string[]}::uuid[]) order by id for no key update`
  return await db<Target[]>`
    select u.id, u.account, u.name, u.alias, u.phone, u.mailbox, ${mayManage} as "mayManage", u.is_super_user as "isSuperUser",
      u.enabled, u.locked_at as "lockedAt", u.locked_until as "lockedUntil", u.frozen_from as "frozenFrom",
      u.frozen_until as "frozenUntil", u.deleted_at as "deletedAt",
      exists (select from attempt_counters c where c.user_id = u.id and c.blocked_until > ${now}) as "isBlocked"
    from users u where u.id = any(${ids as string[]}::uuid[]) order by u.id`
}

export type Change = { from: Date | null; until: Date | null; reason: string | null; by: string | null; at: Date }

const SETS: Record<PersonVerb, (db: Db, change: Change) => PendingQuery<Row[]>> = {
  disable: (db) => db`enabled = false`,
  enable: (db) => db`enabled = true`,
  lock: (db, { until, reason, by, at }) =>
    db`locked_at = ${at}, locked_until = ${until}, lock_reason = ${reason}, locked_by = ${by}`,
  unlock: (db) => db`locked_at = null, locked_until = null, lock_reason = null, locked_by = null`,
  freeze: (db, { from, until, reason, by, at }) =>
    db`frozen_from = ${from ?? at}, frozen_until = ${until}, freeze_reason = ${reason}, frozen_by = ${by}`,
  thaw: (db) => db`frozen_from = null, frozen_until = null, freeze_reason = null, frozen_by = null`,
  delete: (db, { by, at }) => db`deleted_at = ${at}, deleted_by = ${by}`,
  restore: (db) => db`deleted_at = null, deleted_by = null`,
  set_administrator: (db) => db`is_super_user = true`,
  cancel_administrator: (db) => db`is_super_user = false`,
}

export const writeVerb = (db: Db, verb: PersonVerb, ids: readonly string[], change: Change) => db`
  update users set ${SETS[verb](db, change)}, version = version + 1, updated_at = ${change.at}
  where id = any(${ids as string[]}::uuid[])`

/** Failures that were counted against these people. */
export const forgetFailures = (db: Db, ids: readonly string[]) => db`
  delete from attempt_counters where user_id = any(${ids as string[]}::uuid[])`

export const freeLoginNames = (db: Db, ids: readonly string[]) => db`
  delete from login_names where user_id = any(${ids as string[]}::uuid[])`

/** Takes from somebody who starts over all that they, or whoever had their account, could get in with. */
export async function takeCredentials(db: Db, userId: string, at: Date): Promise<void> {
  await db`
    insert into former_passwords (user_id, hash, replaced_at)
    select user_id, hash, ${at} from passwords where user_id = ${userId} on conflict (user_id, replaced_at) do nothing`
  await db`delete from passwords where user_id = ${userId}`
  await db`delete from security_answers where user_id = ${userId}`
  await db`delete from passkeys where user_id = ${userId}`
  await db`delete from third_party_accounts where user_id = ${userId}`
  await db`delete from known_devices where user_id = ${userId}`
  await db`delete from trusted_devices where user_id = ${userId}`
  await db`
    update users set activated = false, must_change_password = false, version = version + 1, updated_at = ${at}
    where id = ${userId}`
}
