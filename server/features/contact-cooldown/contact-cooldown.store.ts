import type { PendingQuery, Row } from 'postgres'
import { DAY_MS } from '#shared/rules/durations.ts'
import type { Db } from '../../platform/db.ts'
import type { Context } from '../../platform/platform.ts'

type ContactKind = 'phone' | 'mailbox'

/** For so long an address that an administrator wrote down opens nothing: the former one was told, and its owner can speak up. */
export const COOLDOWN_DAYS = 7

/**
 * SQL condition: may the phone or mailbox of the person `u` (a row of `users`) lead into the account: recover the password, log in by
 * code, stand for them at a provider? Whoever may only edit people must not come to be them. What was written down with the
 * account is no change; and of somebody who has come to administer something since, nothing that others wrote down counts.
 */
export function isTrustedContact(db: Db, kind: ContactKind, now: Date): PendingQuery<Row[]> {
  const givenAt = db(`u.${kind}_given_at`)
  const cooledDownBefore = new Date(now.getTime() - COOLDOWN_DAYS * DAY_MS)
  return db`(${givenAt} is null or (${givenAt} <= u.created_at or ${givenAt} <= ${cooledDownBefore})
    and (u.appointed_at is null or ${givenAt} > u.appointed_at))`
}

type CoolingRow = { kind: ContactKind; givenAt: Date; appointedAt: Date | null }

/** Contacts of somebody that open nothing yet, and when they will; null: not by waiting. */
export async function listCoolingContacts(
  db: Db,
  userId: string,
  now: Date,
): Promise<{ kind: ContactKind; until: Date | null }[]> {
  const columns = (kind: ContactKind) => db`
    select ${kind}::text as kind, ${db(`u.${kind}_given_at`)} as "givenAt", u.appointed_at from users u
    where u.id = ${userId} and ${db(`u.${kind}`)} is not null and not ${isTrustedContact(db, kind, now)}`
  const rows = await db<CoolingRow[]>`${columns('phone')} union all ${columns('mailbox')}`
  return rows.map(({ kind, givenAt, appointedAt }) => ({
    kind,
    until: appointedAt && givenAt <= appointedAt ? null : new Date(givenAt.getTime() + COOLDOWN_DAYS * DAY_MS),
  }))
}

/**
 * When the caller gives somebody an address; null: super users, the person themselves and the institution's own files are believed.
 * @param now the very moment that is written as `created_at` of new people: a millisecond later it would be a change.
 */
export const contactGivenAt = ({ caller }: Pick<Context, 'caller'>, now: Date): Date | null =>
  caller && !caller.isSuperUser ? now : null
