import type { Db } from '../../platform/db.ts'
import { type AccountFacts, accountFactColumns, type RuleFactsRow, type RuleNeeds, ruleFacts } from '../access/index.ts'
import {
  type AttemptCounter,
  addressFailureCount,
  counterReset,
  type LoginCounterKind,
  lockReset,
  recentFailureCount,
} from '../attempts/index.ts'
import { isTrustedContact } from '../contact-cooldown/index.ts'
import { hasFactorCondition } from '../second-factors/index.ts'
import { loginUpdate } from '../user-accounts/index.ts'
import type { LoginCounters } from './login-attempt.types.ts'

/** A person who logs in: what the gate reads, and what the login changes. */
export type LoginUser = AccountFacts &
  RuleFactsRow & {
    userId: string
    account: string
    dormantSince: Date | null
    /** The device has logged in as this person before. */
    isKnownDevice: boolean
    /** Has set one up, whether or not it is required here. */
    hasSecondFactor: boolean
  }

type UserNeeds = {
  /** The facts that the access rules need about a person. */
  needs: RuleNeeds
  now: Date
}

/** Columns of `LoginUser` from `users u` and, left-joined, `known_devices d`. */
const userColumns = (db: Db, { needs, now }: UserNeeds) => db`
  u.id as user_id, u.account, ${accountFactColumns(db)}, ${ruleFacts(db, needs, now)},
  u.dormant_since, d.user_id is not null as is_known_device, ${hasFactorCondition(db)} as has_second_factor`

export async function findLoginUser(
  db: Db,
  userId: string,
  deviceHash: Buffer | null,
  asked: UserNeeds,
): Promise<LoginUser | null> {
  const [row] = await db<LoginUser[]>`
    select ${userColumns(db, asked)}
    from users u left join known_devices d on d.user_id = u.id and d.device_hash = ${deviceHash}::bytea
    where u.id = ${userId}`
  return row ?? null
}

/** The person whose name was typed. */
export type PasswordUser = LoginUser & {
  hash: string | null
  /** To the microsecond, as text; unchanged when the same password is rehashed. */
  passwordChangedAt: string | null
}

type LoginStateQuery = UserNeeds & {
  canonical: string
  /** The kinds of login names accepted here. */
  kinds: readonly string[]
  deviceHash: Buffer | null
  nameKey: Buffer
  /** For a login by code in this browser, whose failures are counted separately. */
  browserKey: Buffer | null
  addressKey: Buffer
  addressLimit: number
  since: Date
}

type LoginStateRow = { [Key in keyof PasswordUser]: PasswordUser[Key] | null } & {
  isKnownDevice: boolean
  kind: LoginCounterKind
  key: Buffer
  failures: number
  blockedUntil: Date | null
  locks: number
  addressFailures: number
}

export type LoginState = {
  user: PasswordUser | null
  /** A device with its own counter: for a password it needs no captcha for others' failures. */
  isKnownDevice: boolean
  /** The counter for this attempt: the device's own if it is known, else the person's or, without one, the name's. */
  counter: AttemptCounter & { kind: LoginCounterKind; key: Buffer }
  addressFailures: number
}

/**
 * Reads who has this login name, with the password hash, and every counter for the attempt, in one round trip. All names of a person share
 * one counter; a name that nobody has gets its own, found in the same way and time.
 */
export async function loadLoginState(db: Db, q: LoginStateQuery): Promise<LoginState> {
  const [row] = await db<LoginStateRow[]>`
    select ${userColumns(db, q)}, p.hash, p.changed_at::text as password_changed_at,
      c.kind, c.key, ${recentFailureCount(db, q.since, q.now)} as failures, n.blocked_until,
      coalesce(n.locks, 0) as locks,
      ${addressFailureCount(db, q.addressKey, q.since, q.addressLimit)} as address_failures
    from (select 1) as one
      left join login_names l on l.canonical = ${q.canonical} and l.kind = any(${[...q.kinds]}::text[])
      left join users u on u.id = l.user_id and u.deleted_at is null
      left join passwords p on p.user_id = u.id
      left join known_devices d on d.user_id = u.id and d.device_hash = ${q.deviceHash}::bytea
      cross join lateral (select
        case when ${q.browserKey}::bytea is not null then 'code' when d.user_id is not null then 'device'
          when u.id is not null then 'person' else 'name' end as kind,
        coalesce(uuid_send(u.id), ${q.nameKey}) || coalesce(${q.browserKey}::bytea, d.device_hash, ''::bytea) as key) as c
      left join attempt_counters n on n.kind = c.kind and n.key = c.key`
  if (!row) throw new Error('a select without condition answers one row')
  const { kind, key, failures, blockedUntil, locks, addressFailures } = row
  const user = row.userId === null ? null : (row as PasswordUser)
  return {
    user,
    isKnownDevice: kind === 'device',
    counter: { kind, key, failures, blockedUntil, locks },
    addressFailures,
  }
}

/** The user of this bound phone or mailbox, if it is usable for login. */
export async function findUserIdByContact(db: Db, canonical: string, now: Date): Promise<string | null> {
  const [row] = await db<{ userId: string }[]>`
    select u.id as user_id from login_names l join users u on u.id = l.user_id and u.deleted_at is null
    where l.canonical = ${canonical}
      and (l.kind = 'phone' and ${isTrustedContact(db, 'phone', now)}
        or l.kind = 'mailbox' and ${isTrustedContact(db, 'mailbox', now)})`
  return row?.userId ?? null
}

/** Browsers per person that stay exempt from a lock-out caused by strangers. */
const MAX_KNOWN_DEVICES = 20
const DEVICE_TOUCH_MS = 24 * 3600_000

type LoginSuccess = {
  userId: string
  /** Of the password that was verified; null: another method. */
  passwordChangedAt: string | null
  /** Null: no browser. */
  deviceHash: Buffer | null
  isKnownDevice: boolean
  counters: LoginCounters | null
  at: Date
}

/**
 * Records a successful login with the person's row locked. Logins of one person are serialised, because each may replace the hash.
 * @returns false if the password was changed after it was verified; rehashing by another login is no change.
 */
export async function saveLoginSuccess(db: Db, s: LoginSuccess): Promise<boolean> {
  const saved = await db`
    with verified as (${lockVerifiedUser(db, s)})${deviceCte(db, s)}${countersCte(db, s)}
    ${loginUpdate(db, s.at, db`verified`)}`
  return saved.count > 0
}

/** The person's row before the password's: recovery and reset lock them in this order too. */
const lockVerifiedUser = (db: Db, { userId, passwordChangedAt }: LoginSuccess) =>
  passwordChangedAt === null
    ? db`select id as user_id from users where id = ${userId} for no key update`
    : db`select p.user_id from users v join passwords p on p.user_id = v.id
        where v.id = ${userId} and p.changed_at = ${passwordChangedAt}::text::timestamptz for no key update of v, p`

/** Records the device; a new one replaces the one unused for longest. */
function deviceCte(db: Db, { userId, deviceHash, isKnownDevice, at }: LoginSuccess) {
  if (deviceHash === null) return db``
  const touch = db`, device as (
    insert into known_devices as k (user_id, device_hash, first_seen_at, last_seen_at)
    values (${userId}, ${deviceHash}, ${at}, ${at})
    on conflict (user_id, device_hash) do update set last_seen_at = excluded.last_seen_at
      where k.last_seen_at < ${new Date(at.getTime() - DEVICE_TOUCH_MS)}
  )`
  if (isKnownDevice) return touch
  return db`${touch}, surplus as (
    delete from known_devices where user_id = ${userId} and device_hash in (
      select device_hash from known_devices where user_id = ${userId} order by last_seen_at desc offset ${MAX_KNOWN_DEVICES - 1})
  )`
}

function countersCte(db: Db, { userId, counters }: LoginSuccess) {
  if (counters === null) return db`, calmed as (${lockReset(db, userId, null)})`
  const [key, addressKey] = [Buffer.from(counters.key, 'hex'), Buffer.from(counters.addressKey, 'hex')]
  const own = { kind: counters.kind, key }
  return db`, cleared as (${counterReset(db, { ...own, addressKey })}), calmed as (${lockReset(db, userId, own)})`
}

export async function deleteKnownDevices(db: Db, userId: string): Promise<void> {
  await db`delete from known_devices where user_id = ${userId}`
}
