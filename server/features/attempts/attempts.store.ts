import { LOGIN_HOLDS } from '#shared/contract/account-holds.ts'
import { MAX_CLOCK_SKEW_MS } from '../../platform/clock.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'

/** The state of one counter: `failures` that still count, until when it locks out, and the number of lock-outs since the last login. */
export type AttemptCounter = { failures: number; blockedUntil: Date | null; locks: number }

/** The failures of counter `n` that count at `now`: those after `since`, without those that led to a lock-out that is over. */
export const recentFailureCount = (db: Db, since: Date, now: Date) => db`
  case when n.blocked_until <= ${now} then 0
    else (select count(*)::int from unnest(n.recent) as t where t > ${since}) end`

/** Names that failed from one address, counted up to `max`: the address is the first half of the key. */
export const addressFailureCount = (db: Db, address: Buffer, since: Date, max: number) => db`
  (select count(*)::int from (
    select from attempt_counters a where a.kind = 'address' and a.last_at > ${since}
      and a.key between ${addressKey(address, LOWEST)} and ${addressKey(address, HIGHEST)} limit ${max}) as failed)`

/** Names that failed from one address since, counted up to `max`. */
export async function countAddressFailures(db: Db, address: Buffer, since: Date, max: number): Promise<number> {
  const [row] = await db<{ failures: number }[]>`select ${addressFailureCount(db, address, since, max)} as failures`
  return row?.failures ?? 0
}

/** Deletes the failures counted for an address. Those of the people whose names were typed stay. */
export async function deleteAddressFailures(db: Db, address: Buffer): Promise<void> {
  await db`
    delete from attempt_counters where kind = 'address'
      and key between ${addressKey(address, LOWEST)} and ${addressKey(address, HIGHEST)}`
}

const HALF = 16
const LOWEST = Buffer.alloc(HALF, 0)
const HIGHEST = Buffer.alloc(HALF, 255)
export const addressKey = (address: Buffer, name: Buffer): Buffer =>
  Buffer.concat([address.subarray(0, HALF), name.subarray(0, HALF)])

/**
 * What failed logins are counted by: the person whose name was typed, a name that nobody has, a device that the person has logged in with,
 * a browser for login by code.
 */
export type LoginCounterKind = 'person' | 'name' | 'device' | 'code'

export type FailureInput = {
  kind: LoginCounterKind | 'old-password' | 'activation' | 'security-answers' | 'second-factor'
  key: Buffer
  userId: string | null
  /** The row of this address and name; null if addresses don't matter. */
  addressKey: Buffer | null
  at: Date
  since: Date
  lockAfter: number
  /** Minutes of the first lock-out, the second …; the last applies to all that follow. */
  lockSteps: readonly number[]
}

/**
 * Counts a failure and locks out at the limit, in one statement: of parallel failures each counts. During a lock-out nothing counts, or a
 * stranger could extend it forever.
 */
export async function insertFailure(db: Db, f: FailureInput): Promise<AttemptCounter> {
  const steps = [...f.lockSteps]
  const counted = steps.length > 1 ? 1 : 0
  const lockEnd = (locks: SqlFragment) => db`
    ${f.at}::timestamptz + (${steps}::int[])[least(${locks} + 1, ${steps.length})] * interval '1 minute'`
  const [row] = await db<AttemptCounter[]>`
    with address as (
      insert into attempt_counters (kind, key, recent, last_at)
      select 'address', k, '{}', ${f.at} from (select ${f.addressKey}::bytea as k) as given where k is not null
      on conflict (kind, key) do update set last_at = greatest(attempt_counters.last_at, excluded.last_at)
    )
    insert into attempt_counters as s (kind, key, user_id, recent, last_at, blocked_until, locks)
    values (${f.kind}, ${f.key}, ${f.userId}, array[${f.at}::timestamptz], ${f.at},
      case when ${f.lockAfter}::int <= 1 then ${lockEnd(db`0`)} end,
      case when ${f.lockAfter}::int <= 1 then ${counted}::int else 0 end)
    on conflict (kind, key) do update set
      user_id = excluded.user_id,
      last_at = greatest(s.last_at, excluded.last_at),
      (recent, blocked_until, locks) = (
        select counted, case
          when s.blocked_until > ${f.at} then s.blocked_until
          when cardinality(counted) >= ${f.lockAfter}::int then ${lockEnd(db`s.locks`)} end, case
          when s.blocked_until > ${f.at} then s.locks
          when cardinality(counted) >= ${f.lockAfter}::int then s.locks + ${counted}::int
          else s.locks end
        from (select case
          when s.blocked_until > ${f.at} then s.recent
          when s.blocked_until <= ${f.at} then excluded.recent
          else array(
          select t from unnest(s.recent || excluded.recent) as t where t > ${f.since} order by t desc limit ${f.lockAfter}::int
        ) end as counted) as sliding)
    returning cardinality(recent) as failures, blocked_until, locks`
  return row ?? { failures: 1, blockedUntil: null, locks: 0 }
}

/** The state of one counter; without a row: no failures. */
export async function findCounter(
  db: Db,
  kind: FailureInput['kind'],
  key: Buffer,
  since: Date,
  now: Date,
): Promise<AttemptCounter> {
  const [row] = await db<AttemptCounter[]>`
    select ${recentFailureCount(db, since, now)} as failures, n.blocked_until, n.locks
    from attempt_counters n where n.kind = ${kind} and n.key = ${key}`
  return row ?? { failures: 0, blockedUntil: null, locks: 0 }
}

export async function deleteCounter(db: Db, kind: FailureInput['kind'], key: Buffer): Promise<void> {
  await db`delete from attempt_counters where kind = ${kind} and key = ${key}`
}

/**
 * @param forget `locksBefore`: a counter that has locked out is kept until then, so that its next lock-out is longer; `after`: failures
 *   dated later, by the database's clock too, were counted by a clock that was ahead and would lock out for as long. A node whose own clock
 *   is behind deletes nothing that the others have just counted.
 */
export async function deleteOldAttempts(
  db: Db,
  forget: { before: Date; locksBefore: Date; after: Date; now: Date },
): Promise<void> {
  const { before, locksBefore, after, now } = forget
  await db`
    delete from attempt_counters where last_at < ${before} and (blocked_until is null or blocked_until <= ${now})
      and (locks = 0 or last_at < ${locksBefore})`
  const latest = db`greatest(${after}::timestamptz, now() + ${MAX_CLOCK_SKEW_MS} * interval '1 millisecond')`
  await db`delete from attempt_counters where last_at > ${latest}`
  await db`delete from login_locks where locked_at > ${latest} or expired and locked_until < ${locksBefore}`
}

/** Deletes failures counted for these users, and their locks. */
export async function deleteCountersOfUsers(db: Db, userIds: readonly string[]): Promise<void> {
  await db`delete from attempt_counters where user_id = any(${userIds as string[]}::uuid[])`
  await deleteLoginLocks(db, userIds)
}

/** Does this kind keep a person from logging in? The others limit a recovery, or actions of a logged-in person. */
export const holdsLogin = (kind: FailureInput['kind']): boolean => LOGIN_HOLDS.some((one) => one === kind)

/** SQL condition: is `c` a person's counter that keeps them from logging in? */
export const isLoginHold = (db: Db) => db`c.kind = any(${[...LOGIN_HOLDS]}::text[])`

/** These prevent a new login in any browser; the others in one browser of the person. */
const CLOSES_EVERYWHERE = ['person', 'second-factor'] as const satisfies FailureInput['kind'][]

/** Columns of `LoginHolds` for the person `u`. */
export const loginHoldColumns = (db: Db, now: Date) => db`
  (select max(c.blocked_until) from attempt_counters c where c.user_id = u.id and ${isLoginHold(db)}
    and c.kind = any(${[...CLOSES_EVERYWHERE]}::text[]) and c.blocked_until > ${now}) as held_until,
  (select max(c.blocked_until) from attempt_counters c where c.user_id = u.id and ${isLoginHold(db)}
    and c.kind <> all(${[...CLOSES_EVERYWHERE]}::text[]) and c.blocked_until > ${now}) as browser_held_until`

/** Deletes failures counted for logins of these users, by any method, and the locks; failures elsewhere still count. */
export async function deleteLoginHolds(db: Db, userIds: readonly string[]): Promise<void> {
  await db`delete from attempt_counters c where c.user_id = any(${userIds as string[]}::uuid[]) and ${isLoginHold(db)}`
  await deleteLoginLocks(db, userIds)
}

const deleteLoginLocks = (db: Db, userIds: readonly string[]) =>
  db`delete from login_locks where user_id = any(${userIds as string[]}::uuid[])`

/** SQL statement for a login written in one statement: resets the counter of the login and that of the address. */
export const counterReset = (
  db: Db,
  { kind, key, addressKey }: { kind: LoginCounterKind; key: Buffer; addressKey: Buffer },
) => db`
  delete from attempt_counters where (kind, key) in ((${kind}, ${key}), ('address', ${addressKey}))`

/** SQL statement for the same: resets the length of lock-outs caused by strangers or other browsers. */
export const lockReset = (db: Db, userId: string, own: { kind: LoginCounterKind; key: Buffer } | null) => db`
  update attempt_counters c set locks = 0 where c.user_id = ${userId} and c.locks > 0 and ${isLoginHold(db)}
    ${own ? db`and (c.kind, c.key) <> (${own.kind}, ${own.key})` : db``}`
