import type { Db } from '../../platform/db.ts'
import { toFragment } from '../../platform/statement.ts'
import {
  type AccountFacts,
  accountFactColumns,
  lackedText,
  REQUIRABLE_FIELDS,
  type RequiredField,
} from '../access/index.ts'
import { type AttemptCounter, addressFailureCount, recentFailureCount } from '../attempts/index.ts'
import { isTrustedContact } from '../contact-cooldown/index.ts'

/** A person as activation needs them; the ID number is encrypted. */
export type ActivationUser = AccountFacts & {
  userId: string
  account: string
  name: string
  idNumber: string | null
  birthday: string | null
  phone: string | null
  mailbox: string | null
  /** Can a code sent there verify the person? */
  phoneOpens: boolean
  mailboxOpens: boolean
  hasPassword: boolean
  customValues: Record<string, string> | null
  /** Required built-in fields without a value. */
  lacked: RequiredField[]
}

const LACKED = lackedText(REQUIRABLE_FIELDS)

const userColumns = (db: Db, now: Date) => db`
  u.id as user_id, u.account, u.name, u.id_number, u.birthday::text as birthday, u.phone, u.mailbox,
  u.custom_values, ${toFragment(db, LACKED, {})} as lacked,
  ${isTrustedContact(db, 'phone', now)} as phone_opens, ${isTrustedContact(db, 'mailbox', now)} as mailbox_opens,
  exists (select from passwords p where p.user_id = u.id) as has_password, ${accountFactColumns(db)}`

export async function findActivationUser(db: Db, userId: string, now: Date): Promise<ActivationUser | null> {
  const [row] = await db<ActivationUser[]>`
    select ${userColumns(db, now)} from users u where u.id = ${userId} and u.deleted_at is null`
  return row ?? null
}

/** As `findActivationUser`, with the row locked until the end of the transaction. */
export async function lockActivationUser(db: Db, userId: string, now: Date): Promise<ActivationUser | null> {
  await db`select from users where id = ${userId} for no key update`
  return await findActivationUser(db, userId, now)
}

type AttemptQuery = {
  canonical: string
  nameKey: Buffer
  addressKey: Buffer
  addressLimit: number
  since: Date
  now: Date
}

export type ActivationAttempt = { counter: AttemptCounter; addressFailures: number; person: ActivationUser | null }

type AttemptRow = { failures: number | null; blockedUntil: Date | null; locks: number; addressFailures: number } & {
  [Key in keyof ActivationUser]: ActivationUser[Key] | null
}

/** The owner of an account and the counters of the attempt, in one round trip. */
export async function loadActivationAttempt(db: Db, q: AttemptQuery): Promise<ActivationAttempt> {
  const [row] = await db<AttemptRow[]>`
    select ${userColumns(db, q.now)}, ${recentFailureCount(db, q.since, q.now)} as failures, n.blocked_until,
      coalesce(n.locks, 0) as locks,
      ${addressFailureCount(db, q.addressKey, q.since, q.addressLimit)} as address_failures
    from (select 1) as one
      left join login_names l on l.canonical = ${q.canonical} and l.kind = 'account'
      left join users u on u.id = l.user_id and u.deleted_at is null
      left join attempt_counters n on n.kind = 'activation' and n.key = ${q.nameKey}`
  if (!row) throw new Error('a select without condition answers one row')
  const { failures, blockedUntil, locks, addressFailures, ...person } = row
  return {
    counter: { failures: failures ?? 0, blockedUntil, locks },
    addressFailures,
    person: person.userId === null ? null : (person as ActivationUser),
  }
}

export async function findPasswordHash(db: Db, userId: string): Promise<string | null> {
  const [row] = await db<{ hash: string }[]>`select hash from passwords where user_id = ${userId}`
  return row?.hash ?? null
}
