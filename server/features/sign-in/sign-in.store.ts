import type { Db } from '../../platform/db.ts'
import type { AccountFacts } from '../account-status/index.ts'
import { addressFailuresOf, type Counter, countOf } from '../attempts/index.ts'
import { opensAccount } from '../settled-contacts/index.ts'

type Question = {
  canonical: string
  /** Which of a person's names may be typed here. */
  kinds: readonly string[]
  deviceHash: Buffer | null
  nameKey: Buffer
  deviceKey: Buffer
  addressKey: Buffer
  addressLimit: number
  since: Date
  now: Date
}

/** Whose name was typed, as far as the password concerns. */
export type Candidate = {
  userId: string
  hash: string | null
  /** To the microsecond, as text; the same as long as the hash is one of the same password. */
  passwordChangedAt: string | null
}

type Row = { [Key in keyof Candidate]: Candidate[Key] | null } & {
  isKnownDevice: boolean
  nameFailures: number | null
  nameBlockedUntil: Date | null
  deviceFailures: number | null
  deviceBlockedUntil: Date | null
  addressFailures: number
}

export type Standing = {
  person: Candidate | null
  /** The device has logged in as this person before. */
  isKnownDevice: boolean
  /** The counter that this attempt goes by: the device's own where it is known, else the name's. */
  counter: Counter
  addressFailures: number
}

/** Who has this login name, with the password hash, and every counter that concerns the attempt, in one round trip. */
export async function findStanding(db: Db, q: Question): Promise<Standing> {
  const [row] = await db<Row[]>`
    select u.id as "userId", p.hash, p.changed_at::text as "passwordChangedAt", d.user_id is not null as "isKnownDevice",
      ${countOf(db, 'n', q.since, q.now)} as "nameFailures", n.blocked_until as "nameBlockedUntil",
      ${countOf(db, 'v', q.since, q.now)} as "deviceFailures", v.blocked_until as "deviceBlockedUntil",
      ${addressFailuresOf(db, q.addressKey, q.since, q.addressLimit)} as "addressFailures"
    from (select 1) as one
      left join login_names l on l.canonical = ${q.canonical} and l.kind = any(${[...q.kinds]}::text[])
      left join users u on u.id = l.user_id and u.deleted_at is null
      left join passwords p on p.user_id = u.id
      left join known_devices d on d.user_id = u.id and d.device_hash = ${q.deviceHash}::bytea
      left join attempt_counters n on n.kind = 'name' and n.key = ${q.nameKey}
      left join attempt_counters v on v.kind = 'device' and v.key = ${q.deviceKey}`
  if (!row) throw new Error('a select without condition answers one row')
  const { isKnownDevice, nameFailures, nameBlockedUntil, deviceFailures, deviceBlockedUntil, addressFailures } = row
  const counter = isKnownDevice
    ? { failures: deviceFailures ?? 0, blockedUntil: deviceBlockedUntil }
    : { failures: nameFailures ?? 0, blockedUntil: nameBlockedUntil }
  return { person: row.userId === null ? null : (row as Candidate), isKnownDevice, counter, addressFailures }
}

/** Whose bound phone or mailbox this is, where it opens the account. */
export async function findBoundTo(db: Db, canonical: string, now: Date): Promise<string | null> {
  const [row] = await db<{ userId: string }[]>`
    select u.id as "userId" from login_names l join users u on u.id = l.user_id and u.deleted_at is null
    where l.canonical = ${canonical}
      and (l.kind = 'phone' and ${opensAccount(db, 'phone', now)} or l.kind = 'mailbox' and ${opensAccount(db, 'mailbox', now)})`
  return row?.userId ?? null
}

/** A person who has proved who they are, as far as the door needs to know. */
export type Entering = AccountFacts & { dormantSince: Date | null; isKnownDevice: boolean }

export async function findEntering(db: Db, userId: string, deviceHash: Buffer | null): Promise<Entering | null> {
  const [row] = await db<Entering[]>`
    select ${factColumns(db)}, d.user_id is not null as "isKnownDevice"
    from users u left join known_devices d on d.user_id = u.id and d.device_hash = ${deviceHash}::bytea
    where u.id = ${userId} and u.deleted_at is null`
  return row ?? null
}

export async function accountOf(db: Db, userId: string): Promise<string> {
  const [row] = await db<{ account: string }[]>`select account from users where id = ${userId}`
  return row?.account ?? ''
}

const factColumns = (db: Db) => db`
  u.enabled, u.activated, u.deleted_at as "deletedAt", u.locked_at as "lockedAt",
  u.locked_until as "lockedUntil", u.frozen_from as "frozenFrom", u.frozen_until as "frozenUntil",
  u.valid_from as "validFrom", u.valid_until as "validUntil", u.must_change_password as "mustChangePassword", u.dormant_since as "dormantSince"`

/** Browsers of one person that stay exempt from a lock by strangers. */
const MOST_DEVICES = 20
const DEVICE_SEEN_AFTER_MS = 24 * 3600_000

/** The counters of a way in that a success sets back. */
export type Cleared = { kind: 'name' | 'device'; key: Buffer; addressKey: Buffer }

type Success = {
  userId: string
  /** Of the password that was verified; null: another way in. */
  passwordChangedAt: string | null
  /** Null: no browser. */
  deviceHash: Buffer | null
  isKnownDevice: boolean
  cleared: Cleared | null
  at: Date
}

/**
 * Notes a successful login with the person's row locked, and reads the facts anew. Logins of one person take turns, because each may
 * renew the hash.
 * @returns null when the password was changed after it was verified; a hash renewed by another login is no change.
 */
export async function saveSuccess(db: Db, s: Success): Promise<AccountFacts | null> {
  const { cleared } = s
  const [row] = await db<AccountFacts[]>`
    with verified as (${verified(db, s)})${
      s.deviceHash === null
        ? db``
        : db`, device as (
      insert into known_devices as k (user_id, device_hash, first_seen_at, last_seen_at)
      values (${s.userId}, ${s.deviceHash}, ${s.at}, ${s.at})
      on conflict (user_id, device_hash) do update set last_seen_at = excluded.last_seen_at
        where k.last_seen_at < ${new Date(s.at.getTime() - DEVICE_SEEN_AFTER_MS)}
    )`
    }${
      s.isKnownDevice || s.deviceHash === null
        ? db``
        : db`, forgotten as (
      delete from known_devices where user_id = ${s.userId} and device_hash in (
        select device_hash from known_devices where user_id = ${s.userId} order by last_seen_at desc offset ${MOST_DEVICES - 1})
    )`
    }${
      cleared
        ? db`, cleared as (
      delete from attempt_counters where (kind, key) in ((${cleared.kind}, ${cleared.key}), ('address', ${cleared.addressKey}))
    )`
        : db``
    }
    update users u set last_login_at = ${s.at}, dormant_since = null from verified where u.id = verified.user_id
    returning ${factColumns(db)}`
  return row ?? null
}

const verified = (db: Db, { userId, passwordChangedAt }: Success) =>
  passwordChangedAt === null
    ? db`select id as user_id from users where id = ${userId} for no key update`
    : db`select user_id from passwords
        where user_id = ${userId} and changed_at = ${passwordChangedAt}::text::timestamptz for no key update`

/** Replaces the hash of an unchanged password; not when somebody was faster. */
export async function renewHash(db: Db, userId: string, old: string, renewed: string): Promise<void> {
  await db`update passwords set hash = ${renewed} where user_id = ${userId} and hash = ${old}`
}
