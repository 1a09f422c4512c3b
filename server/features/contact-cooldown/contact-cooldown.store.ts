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

/** When the caller gives somebody an address; null: super users, the person themselves and the institution's own files are believed. */
export const contactGivenAt = ({ caller, now }: Context): Date | null => (caller && !caller.isSuperUser ? now() : null)
