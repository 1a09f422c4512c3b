import type { Db } from '../../platform/db.ts'
import { type OwnerFactsRow, ownerFactsColumns } from '../password-demands/index.ts'

export type BoundContactsRow = {
  version: number
  phone: string | null
  mailbox: string | null
  alias: string | null
}

export type AccountSecurityRow = BoundContactsRow &
  OwnerFactsRow & {
    account: string
    hasPassword: boolean
    passwordChangedAt: Date | null
    hasAnswers: boolean
    /** Aliases taken since the given time. */
    aliasChanges: number
  }

/** Everything that the page shows about one person, in one round trip. */
export async function findAccountSecurity(
  db: Db,
  userId: string,
  { changesSince, now }: { changesSince: Date; now: Date },
): Promise<AccountSecurityRow | null> {
  const [row] = await db<AccountSecurityRow[]>`
    select u.account, u.version, u.phone, u.mailbox, u.alias, p.user_id is not null as has_password,
      p.changed_at as password_changed_at, ${ownerFactsColumns(db, now)},
      exists (select from security_answers a where a.user_id = u.id) as has_answers,
      (select count(*)::int from alias_holdings h where h.user_id = u.id and h.taken_at > ${changesSince}) as alias_changes
    from users u left join passwords p on p.user_id = u.id where u.id = ${userId} and u.deleted_at is null`
  return row ?? null
}

/** Reads what is bound, with the person's row locked until the transaction ends, so that changes of one person are serialised. */
export async function lockBoundContacts(db: Db, userId: string): Promise<BoundContactsRow | null> {
  const [row] = await db<BoundContactsRow[]>`
    select version, phone, mailbox, alias from users where id = ${userId} and deleted_at is null for no key update`
  return row ?? null
}

/** What the person of a session has bound, and whether they logged in since the given time. */
export async function findBindingOfLogin(
  db: Db,
  ssoSessionId: string,
  since: Date,
): Promise<(BoundContactsRow & { isRecent: boolean }) | null> {
  const [row] = await db<(BoundContactsRow & { isRecent: boolean })[]>`
    select u.version, u.phone, u.mailbox, u.alias, s.authenticated_at >= ${since} as is_recent
    from sso_sessions s join users u on u.id = s.user_id where s.id = ${ssoSessionId}`
  return row ?? null
}

/** Aliases that a person took since the given time. */
export async function countAliasChanges(db: Db, userId: string, since: Date): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from alias_holdings where user_id = ${userId} and taken_at > ${since}`
  return row?.count ?? 0
}

/** Whether somebody else gave this alias up recently. */
export async function isAliasReserved(
  db: Db,
  { canonical, userId, since }: { canonical: string; userId: string; since: Date },
): Promise<boolean> {
  const rows = await db`
    select 1 from alias_holdings where canonical = ${canonical} and user_id <> ${userId} and released_at > ${since} limit 1`
  return rows.length > 0
}

type AliasHolding = { userId: string; former: string | null; taken: string | null; at: Date }

/** Records that a person gave up one alias and took another. An alias that came with the person's data gets its row when it is given up. */
export async function saveAliasHoldings(db: Db, { userId, former, taken, at }: AliasHolding): Promise<void> {
  if (former !== null) {
    const ended = await db`
      update alias_holdings set released_at = ${at}
      where user_id = ${userId} and canonical = ${former} and released_at is null`
    if (ended.count === 0) {
      await db`
        insert into alias_holdings (canonical, user_id, taken_at, released_at)
        values (${former}, ${userId}, '-infinity', ${at})
        on conflict (canonical, user_id, taken_at) do update set released_at = excluded.released_at`
    }
  }
  if (taken !== null) {
    await db`insert into alias_holdings (canonical, user_id, taken_at) values (${taken}, ${userId}, ${at})`
  }
}
