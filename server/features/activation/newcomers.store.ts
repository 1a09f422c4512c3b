import type { Db } from '../../platform/db.ts'
import type { AccountFacts } from '../account-status/index.ts'
import { addressFailuresOf, type Counter, countOf } from '../attempts/index.ts'
import { confirmContact, opensAccount } from '../settled-contacts/index.ts'

/** A person as far as an activation needs to know; the ID number is sealed. */
export type Newcomer = AccountFacts & {
  userId: string
  account: string
  name: string
  idNumber: string | null
  birthday: string | null
  phone: string | null
  mailbox: string | null
  /** May a code there prove who somebody is? */
  phoneOpens: boolean
  mailboxOpens: boolean
  hasPassword: boolean
}

const columns = (db: Db, now: Date) => db`
  u.id as "userId", u.account, u.name, u.id_number as "idNumber", u.birthday::text as birthday, u.phone, u.mailbox,
  ${opensAccount(db, 'phone', now)} as "phoneOpens", ${opensAccount(db, 'mailbox', now)} as "mailboxOpens",
  exists (select from passwords p where p.user_id = u.id) as "hasPassword", u.enabled, u.activated,
  u.deleted_at as "deletedAt", u.locked_at as "lockedAt", u.locked_until as "lockedUntil", u.frozen_from as "frozenFrom",
  u.frozen_until as "frozenUntil", u.valid_from as "validFrom", u.valid_until as "validUntil", u.must_change_password as "mustChangePassword"`

export async function findNewcomer(db: Db, userId: string, now: Date): Promise<Newcomer | null> {
  const [row] = await db<Newcomer[]>`
    select ${columns(db, now)} from users u where u.id = ${userId} and u.deleted_at is null`
  return row ?? null
}

/** As `findNewcomer`, with the row locked until the end of the transaction. */
export async function lockNewcomer(db: Db, userId: string, now: Date): Promise<Newcomer | null> {
  await db`select from users where id = ${userId} for no key update`
  return await findNewcomer(db, userId, now)
}

type Question = {
  canonical: string
  nameKey: Buffer
  addressKey: Buffer
  addressLimit: number
  since: Date
  now: Date
}

export type Standing = { counter: Counter; addressFailures: number; person: Newcomer | null }

type Row = { failures: number | null; blockedUntil: Date | null; addressFailures: number } & {
  [Key in keyof Newcomer]: Newcomer[Key] | null
}

/** Who has this account, and the counters that concern the attempt, in one round trip. */
export async function findStanding(db: Db, q: Question): Promise<Standing> {
  const [row] = await db<Row[]>`
    select ${columns(db, q.now)}, ${countOf(db, 'n', q.since, q.now)} as failures, n.blocked_until as "blockedUntil",
      ${addressFailuresOf(db, q.addressKey, q.since, q.addressLimit)} as "addressFailures"
    from (select 1) as one
      left join login_names l on l.canonical = ${q.canonical} and l.kind = 'account'
      left join users u on u.id = l.user_id and u.deleted_at is null
      left join attempt_counters n on n.kind = 'activation' and n.key = ${q.nameKey}`
  if (!row) throw new Error('a select without condition answers one row')
  const { failures, blockedUntil, addressFailures, ...person } = row
  return {
    counter: { failures: failures ?? 0, blockedUntil },
    addressFailures,
    person: person.userId === null ? null : (person as Newcomer),
  }
}

/** Whose login name this is, if anybody's. */
export async function ownerOf(db: Db, canonical: string): Promise<string | null> {
  const [row] = await db<{ userId: string }[]>`
    select user_id as "userId" from login_names where canonical = ${canonical}`
  return row?.userId ?? null
}

type Bound = { userId: string; kind: 'phone' | 'mailbox'; value: string; canonical: string }

/** Gives a person a phone or mailbox, also as a login name. @returns false when it is somebody else's. */
export async function bind(db: Db, { userId, kind, value, canonical }: Bound): Promise<boolean> {
  const rows = await db`
    insert into login_names as l (canonical, user_id, kind) values (${canonical}, ${userId}, ${kind})
    on conflict (canonical) do update set kind = l.kind where l.user_id = excluded.user_id`
  if (rows.count === 0) return false
  await db`update users set ${db(kind)} = ${value} where id = ${userId}`
  await confirmContact(db, userId, kind)
  return true
}

export async function setActivated(db: Db, userId: string, at: Date): Promise<void> {
  await db`
    update users set activated = true, version = version + 1, updated_at = ${at} where id = ${userId}`
}

export async function passwordHashOf(db: Db, userId: string): Promise<string | null> {
  const [row] = await db<{ hash: string }[]>`select hash from passwords where user_id = ${userId}`
  return row?.hash ?? null
}
