import type { Db } from '../../platform/db.ts'
import { isTrustedContact } from '../contact-cooldown/index.ts'
import type { MatchBy } from '../third-party-providers/index.ts'

export type IdentityKey = { providerId: string; realm: string; subject: string }

export type AccountRow = { providerId: string; displayName: string; boundAt: Date; lastUsedAt: Date | null }

/** At most one per provider. */
export const listAccountRows = (db: Db, userId: string) => db<AccountRow[]>`
  select provider_id, display_name, bound_at, last_used_at
  from third_party_accounts where user_id = ${userId} limit 100`

export type BoundAccount = { id: string; userId: string; account: string }

/** Who is linked to an identity now, as long as its provider is enabled. */
export async function findBoundAccount(
  db: Db,
  { providerId, realm, subject }: IdentityKey,
): Promise<BoundAccount | null> {
  const [row] = await db<BoundAccount[]>`
    select a.id, u.id as user_id, u.account
    from third_party_accounts a join third_party_providers p on p.id = a.provider_id and p.enabled
      join users u on u.id = a.user_id and u.deleted_at is null
    where a.provider_id = ${providerId} and a.realm = ${realm} and a.subject = ${subject}`
  return row ?? null
}

/** Changes the id of the same person at the same provider; does nothing if somebody has that already. */
export const renameIdentity = (db: Db, from: IdentityKey, to: IdentityKey) => db`
  update third_party_accounts set realm = ${to.realm}, subject = ${to.subject}
  where provider_id = ${from.providerId} and realm = ${from.realm} and subject = ${from.subject}
    and not exists (select 1 from third_party_accounts t
      where t.provider_id = ${to.providerId} and t.realm = ${to.realm} and t.subject = ${to.subject})`

export const touchAccount = (db: Db, id: string, at: Date) =>
  db`update third_party_accounts set last_used_at = ${at} where id = ${id}`

type NewAccount = IdentityKey & { id: string; userId: string; displayName: string; matched: boolean; at: Date }

/**
 * Links, unless somebody has the identity already or the person has another one there. Identities of deleted people are free.
 * @returns whether it was linked now.
 */
export async function insertAccount(db: Db, a: NewAccount): Promise<boolean> {
  await db`
    delete from third_party_accounts a using users u
    where a.provider_id = ${a.providerId} and a.realm = ${a.realm} and a.subject = ${a.subject}
      and u.id = a.user_id and u.deleted_at is not null`
  const rows = await db`
    insert into third_party_accounts (id, provider_id, realm, subject, user_id, display_name, matched, bound_at)
    values (${a.id}, ${a.providerId}, ${a.realm}, ${a.subject}, ${a.userId}, ${a.displayName}, ${a.matched}, ${a.at})
    on conflict do nothing returning 1`
  return rows.length > 0
}

export type DeletedAccount = { displayName: string }

export async function deleteAccount(db: Db, userId: string, providerId: string): Promise<DeletedAccount | null> {
  const [row] = await db<DeletedAccount[]>`
    delete from third_party_accounts where user_id = ${userId} and provider_id = ${providerId}
    returning display_name`
  return row ?? null
}

/** Remembers that a person wants no account at a provider. */
export const rememberUnlinking = (db: Db, userId: string, providerId: string, at: Date) => db`
  insert into third_party_unlinked (user_id, provider_id, unlinked_at) values (${userId}, ${providerId}, ${at})
  on conflict (user_id, provider_id) do update set unlinked_at = ${at}`

/** The person has linked an account there again. */
export const forgetUnlinking = (db: Db, userId: string, providerId: string) => db`
  delete from third_party_unlinked where user_id = ${userId} and provider_id = ${providerId}`

/** May the provider's word alone link this person? */
export const mayBeMatched = async (db: Db, userId: string, providerId: string): Promise<boolean> =>
  (await db`select 1 from third_party_unlinked where user_id = ${userId} and provider_id = ${providerId}`).length === 0

/** Locks the person's row, so that two unlinkings can't each rely on the other's login method. */
export const lockPerson = (db: Db, userId: string) => db`select 1 from users where id = ${userId} for no key update`

type LoginMethods = { hasPassword: boolean; providerIds: string[] }

/** The independent login methods of a person: a password, and accounts at enabled providers. */
export async function loadLoginMethods(db: Db, userId: string): Promise<LoginMethods> {
  const [row] = await db<LoginMethods[]>`
    select exists (select 1 from passwords where user_id = ${userId}) as has_password,
      array(select a.provider_id from third_party_accounts a join third_party_providers p on p.id = a.provider_id and p.enabled
        where a.user_id = ${userId}) as provider_ids`
  return row ?? { hasPassword: false, providerIds: [] }
}

type MatchQuery = { providerId: string; kind: MatchBy; canonical: string; now: Date }

/**
 * Who has this name, among people whom a provider may be trusted to identify: no super users,
 * nobody with another account there, and nobody who unlinked one there.
 */
export async function findMatchingPerson(
  db: Db,
  { providerId, kind, canonical, now }: MatchQuery,
): Promise<string | null> {
  const [row] = await db<{ id: string }[]>`
    select u.id from login_names l join users u on u.id = l.user_id and u.deleted_at is null and not u.is_super_user
    where l.canonical = ${canonical} and l.kind = ${kind} and u.enabled and u.activated
      ${kind === 'account' ? db`` : db`and ${isTrustedContact(db, kind, now)}`}
      and not exists (select 1 from third_party_accounts a where a.user_id = u.id and a.provider_id = ${providerId})
      and not exists (select 1 from third_party_unlinked n where n.user_id = u.id and n.provider_id = ${providerId})`
  return row?.id ?? null
}

/** A person's name and account, to show to an administrator. */
export async function findPersonShown(db: Db, userId: string): Promise<{ account: string; name: string } | null> {
  const [row] = await db<{ account: string; name: string }[]>`
    select account, name from users where id = ${userId} and deleted_at is null`
  return row ?? null
}

export async function deleteThirdPartyAccounts(db: Db, userId: string): Promise<void> {
  await db`delete from third_party_accounts where user_id = ${userId}`
}

/** Does one of these names belong to somebody here, or to the account of a deleted person? Then the newcomer may be that person. */
export async function isAnyNameKnown(db: Db, canonical: readonly string[], account: string): Promise<boolean> {
  const rows = await db`
    select 1 from login_names where canonical = any(${canonical as string[]})
    union all select 1 from users where lower(account) = ${account.toLowerCase()} and deleted_at is not null limit 1`
  return rows.length > 0
}

/**
 * A provider's word alone is not enough for a super user, so accounts linked only by it are unlinked; except where there is no other way to
 * log in.
 */
export async function deleteMatchedThirdPartyAccounts(db: Db, userIds: readonly string[]): Promise<void> {
  await db`
    delete from third_party_accounts a using passwords p
    where a.user_id = any(${userIds as string[]}::uuid[]) and a.matched and p.user_id = a.user_id`
}
