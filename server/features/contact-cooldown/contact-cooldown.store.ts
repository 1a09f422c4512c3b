import { DAY_MS } from '#shared/rules/durations.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'
import type { Context } from '../../platform/platform.ts'
import { hasLimitedScope } from '../access/index.ts'

type ContactKind = 'phone' | 'mailbox'

/** For this long a contact set by an administrator is not trusted: the former one was notified, and its owner can object. */
export const COOLDOWN_DAYS = 7

/**
 * SQL condition: is the phone or mailbox of the person `u` (a row of `users`) trusted for recovery, login by code and matching at a
 * provider? Whoever may only edit people must not be able to take over their accounts. A contact set when the account was created is no
 * change; and for a person appointed since, nothing set by others is trusted.
 */
export function isTrustedContact(db: Db, kind: ContactKind, now: Date): SqlFragment {
  const givenAt = db(`u.${kind}_given_at`)
  const cooledDownBefore = new Date(now.getTime() - COOLDOWN_DAYS * DAY_MS)
  return db`(${givenAt} is null or (${givenAt} <= u.created_at or ${givenAt} <= ${cooledDownBefore})
    and (u.appointed_at is null or ${givenAt} > u.appointed_at))`
}

type CoolingRow = { kind: ContactKind; givenAt: Date; appointedAt: Date | null }

/** A person's contacts that are not trusted yet, and when they will be; null: not by waiting. */
export async function listCoolingContacts(
  db: Db,
  userId: string,
  now: Date,
): Promise<{ kind: ContactKind; until: Date | null }[]> {
  const columns = (kind: ContactKind) => db`
    select ${kind}::text as kind, ${db(`u.${kind}_given_at`)} as given_at, u.appointed_at from users u
    where u.id = ${userId} and ${db(`u.${kind}`)} is not null and not ${isTrustedContact(db, kind, now)}`
  const rows = await db<CoolingRow[]>`${columns('phone')} union all ${columns('mailbox')}`
  return rows.map(({ kind, givenAt, appointedAt }) => ({
    kind,
    until: appointedAt && givenAt <= appointedAt ? null : new Date(givenAt.getTime() + COOLDOWN_DAYS * DAY_MS),
  }))
}

/**
 * When the caller set a contact; null: trusted at once, for super users, the person themselves and the institution's own files.
 * @param now the very moment written as `created_at` of new people: a millisecond later it would be a change.
 */
export const contactGivenAt = (ctx: Pick<Context, 'caller'>, now: Date): Date | null =>
  hasLimitedScope(ctx) ? now : null
