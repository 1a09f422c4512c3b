import { QUESTIONS_TO_ANSWER } from '#shared/contract/security-questions.ts'
import type { Db } from '../../platform/db.ts'
import { isTrustedContact } from '../contact-cooldown/index.ts'

/** The facts about a person that a recovery depends on. */
export type RecoveryUserRow = {
  userId: string
  name: string
  phone: string | null
  mailbox: string | null
  hasAnswers: boolean
  /** To the microsecond, as text; null without a password. */
  passwordChangedAt: string | null
  /** When they were last appointed, in the same form. */
  appointedAt: string | null
}

/** An untrusted contact can't be used for recovery. */
const recoveryColumns = (db: Db, now: Date) => db`
  u.id as user_id, u.name, case when ${isTrustedContact(db, 'phone', now)} then u.phone end as phone,
  case when ${isTrustedContact(db, 'mailbox', now)} then u.mailbox end as mailbox, p.changed_at::text as password_changed_at, u.appointed_at::text as appointed_at,
  ${hasAnswers(db)} as has_answers`

/** All required answers: fewer, from another system, prove nothing. */
const hasAnswers = (db: Db) => db`
  (select count(*) from security_answers a where a.user_id = u.id) = ${QUESTIONS_TO_ANSWER}`

/** The user with this login name. Not one who has never activated: there is nothing to recover. */
export async function findRecoveryUser(
  db: Db,
  canonical: string,
  kinds: readonly string[],
  now: Date,
): Promise<RecoveryUserRow | null> {
  const [row] = await db<RecoveryUserRow[]>`
    select ${recoveryColumns(db, now)}
    from login_names l join users u on u.id = l.user_id left join passwords p on p.user_id = u.id
    where l.canonical = ${canonical} and l.kind = any(${[...kinds]}::text[]) and u.deleted_at is null and u.activated`
  return row ?? null
}

/** The same person, current state. */
export async function findRecoveryUserById(db: Db, userId: string, now: Date): Promise<RecoveryUserRow | null> {
  const [row] = await db<RecoveryUserRow[]>`
    select ${recoveryColumns(db, now)}
    from users u left join passwords p on p.user_id = u.id
    where u.id = ${userId} and u.deleted_at is null and u.activated`
  return row ?? null
}

/** As `findRecoveryUserById`, locking phone, mailbox and password until this transaction ends. */
export async function lockRecoveryUser(db: Db, userId: string, now: Date): Promise<RecoveryUserRow | null> {
  await db`select from users where id = ${userId} for no key update`
  return await findRecoveryUserById(db, userId, now)
}

export type RecoveryContacts = { phone: string | null; mailbox: string | null; hasAnswers: boolean }

/** A sample of real contacts, so that invented ones look alike. The same people as long as they exist. */
export const sampleRecoveryContacts = (db: Db, most: number) => db<RecoveryContacts[]>`
  select u.phone, u.mailbox, ${hasAnswers(db)} as has_answers
  from users u where u.deleted_at is null and u.activated order by u.id limit ${most}`
