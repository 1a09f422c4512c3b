import type { LoginNameField } from '#shared/contract/account-fields.ts'
import type { Language } from '#shared/contract/endpoint.ts'
import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import type { Db } from '../../platform/db.ts'
import { localized } from '../../platform/localized.ts'
import { isPasswordTooOld } from '../password-demands/index.ts'

type Span = { since: Date; until: Date }

export type FoundRow = { userId: string; account: string; name: string; at: Date; typed: string; ip: string }

const within = (db: Db, { since, until }: Span) => db`r.at >= ${since} and r.at <= ${until}`

const succeededBy = (db: Db, span: Span, types: readonly string[]) => db`
  ${within(db, span)} and r.succeeded and r.user_id is not null and r.auth_type = any(${types as string[]})`

const foundColumns = (db: Db) => db`r.user_id, u.account, u.name, r.at, r.account as typed, host(r.ip) as ip`

/** Number of logins by these methods, and of people. */
export async function countLogins(db: Db, span: Span, types: readonly string[]) {
  const [row] = await db<{ count: number; people: number }[]>`
    select count(*)::int as count, count(distinct r.user_id)::int as people
    from login_records r where ${succeededBy(db, span, types)}`
  return row ?? { count: 0, people: 0 }
}

/** The latest of them. @param typed only those with these names, as typed */
export const latestLogins = (
  db: Db,
  span: Span,
  { types, typed = null, limit }: { types: readonly string[]; typed?: readonly string[] | null; limit: number },
) => db<FoundRow[]>`
  select ${foundColumns(db)} from login_records r join users u on u.id = r.user_id
  where ${succeededBy(db, span, types)} ${typed ? db`and r.account = any(${typed as string[]})` : db``}
  order by r.at desc, r.id desc limit ${limit}`

/** Password logins by what was typed, except names typed exactly as stored and of these kinds. */
export const groupTypedNames = (
  db: Db,
  span: Span,
  { type, kinds, limit }: { type: string; kinds: readonly LoginNameField[]; limit: number },
) => db<{ typed: string; userId: string; count: number }[]>`
  select r.account as typed, r.user_id, count(*)::int as count
  from login_records r
  where ${succeededBy(db, span, [type])}
    and not exists (select from login_names l where l.canonical = r.account and l.kind = any(${kinds as string[]}))
  group by r.account, r.user_id limit ${limit}`

/** The kinds of these names. */
export const listNameKinds = (db: Db, canonical: readonly string[]) => db<
  { canonical: string; kind: LoginNameField }[]
>`
  select canonical, kind from login_names where canonical = any(${canonical as string[]})`

/** How a wrong password, and an attempt during a lock-out, are recorded. */
const GUESSES = ['password.wrong', 'password.none', 'attempts.locked']

/** People with this many failures in this many minutes, whatever happened in between: everybody who could have been locked out. */
export const findLockCandidates = (
  db: Db,
  span: Span,
  { type, failures, minutes, limit }: { type: string; failures: number; minutes: number; limit: number },
) => db<{ userId: string }[]>`
  select f.user_id from (
    select r.user_id, r.at, lag(r.at, ${failures - 1}::int) over (partition by r.user_id order by r.at) as first
    from login_records r
    where ${within(db, span)} and not r.succeeded and r.user_id is not null and r.auth_type = ${type}
      and r.reason = any(${GUESSES})) f
  where f.first > f.at - make_interval(mins => ${minutes}::int) group by f.user_id limit ${limit}`

/** Everything that counted for these people, earliest first. */
export const listAttempts = (
  db: Db,
  span: Span,
  { type, userIds, limit }: { type: string; userIds: readonly string[]; limit: number },
) => db<{ userId: string; at: Date; failed: boolean }[]>`
  select r.user_id, r.at, not r.succeeded as failed from login_records r
  where ${within(db, span)} and r.user_id = any(${userIds as string[]}::uuid[]) and r.auth_type = ${type}
    and (r.succeeded or r.reason = any(${GUESSES}))
  order by r.user_id, r.at, r.id limit ${limit}`

/** A login or a wrong guess, with the address as the record has it. */
export type RecordedLogin = {
  id: string
  at: Date
  userId: string | null
  typed: string
  ip: string
  authType: string
  failed: boolean
}

const loginColumns = (db: Db) => db`
  r.id, r.at, r.user_id, r.account as typed, host(r.ip) as ip, r.auth_type, not r.succeeded as failed`

/** Guesses that were counted, whatever was typed. */
const COUNTED_GUESSES = [...GUESSES, 'name.unknown', 'code.wrong']

/** By these methods. */
export const listGuesses = (db: Db, span: Span, { types, limit }: { types: readonly string[]; limit: number }) => db<
  RecordedLogin[]
>`
  select ${loginColumns(db)} from login_records r
  where ${within(db, span)} and not r.succeeded and r.auth_type = any(${types as string[]}) and r.reason = any(${COUNTED_GUESSES})
  order by r.at, r.id limit ${limit}`

type SuccessQuery = { types: readonly string[]; userIds: readonly string[]; ips: readonly string[]; limit: number }

/** Logins of these people, and from these addresses. */
export const listSuccesses = (db: Db, span: Span, { types, userIds, ips, limit }: SuccessQuery) => db<RecordedLogin[]>`
  select ${loginColumns(db)} from login_records r
  where ${succeededBy(db, span, types)} and r.user_id = any(${userIds as string[]}::uuid[])
  union
  select ${loginColumns(db)} from login_records r
  where ${succeededBy(db, span, types)} and r.ip = any(${ips as string[]}::inet[])
  order by at, id limit ${limit}`

export const listPeople = (db: Db, ids: readonly string[]) => db<{ id: string; account: string; name: string }[]>`
  select id, account, name from users where id = any(${ids as string[]}::uuid[])`

/** Compares two policies: too old by one and not by the other. */
type Ages = { before: SignInPolicy; after: SignInPolicy; now: Date }

function withOldPassword(db: Db, { before, after, now }: Ages) {
  const isTooOld = isPasswordTooOld(db, after, now) ?? db`false`
  const wasTooOld = isPasswordTooOld(db, before, now) ?? db`false`
  return db`
    passwords p join users u on u.id = p.user_id
    where ${isTooOld} and not ${wasTooOld} and u.deleted_at is null and u.enabled and u.activated and not u.must_change_password`
}

export async function countOldPasswords(db: Db, ages: Ages): Promise<number> {
  const [row] = await db<{ count: number }[]>`select count(*)::int as count from ${withOldPassword(db, ages)}`
  return row?.count ?? 0
}

/** The latest of them. */
export const listOldPasswords = (db: Db, ages: Ages, limit: number) => db<
  (Omit<FoundRow, 'typed' | 'ip'> & { ip: null })[]
>`
  select u.id as user_id, u.account, u.name, p.changed_at as at, null as ip from ${withOldPassword(db, ages)}
  order by p.changed_at desc, p.user_id limit ${limit}`

/** In this language; null: there is no such range. */
export async function findRangeName(db: Db, id: string, language: Language): Promise<string | null> {
  const [row] = await db<{ name: string }[]>`
    select ${localized(db, 'n', language)} as name from ip_ranges n where n.id = ${id}`
  return row?.name ?? null
}
