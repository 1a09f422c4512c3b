import {
  type ADDRESS_PROBLEMS,
  type AddressPreview,
  type PREVIEW_KINDS,
  PREVIEWED_PEOPLE,
} from '#shared/contract/corporate-mailbox.ts'
import type { Language } from '#shared/contract/endpoint.ts'
import type { AddressRule } from '#shared/contract/mailbox-settings.ts'
import type { Db } from '../../platform/db.ts'
import { localized } from '../../platform/localized.ts'

type Problem = (typeof ADDRESS_PROBLEMS)[number]

/** The local part that mail systems accept, 64 characters at most. */
const LOCAL_PART = '^[a-z0-9]([a-z0-9._-]{0,62}[a-z0-9])?$'

/** People `u` that meet a condition, each with the address by the first rule for their category, or why there is none. */
function peopleWithAddress(db: Db, rules: readonly AddressRule[], condition: ReturnType<Db>) {
  const all = (pick: (rule: AddressRule) => string) => db`${rules.map(pick)}::text[]`
  const branches = rules.map(
    ({ categories }, at) => db`when ${categories.length === 0} or g.code = any(${categories}) then ${at + 1}::int`,
  )
  return db`(
    select u.id, u.account, u.name, u.category_id, a.problem, case
      when a.problem is not null then null
      when r.source = 'number' then r.local || '@' || r.domain
      else lower(u.mailbox) end as address
    from users u
    left join user_categories g on g.id = u.category_id
    cross join lateral (select case ${branches.reduce((before, one) => db`${before} ${one}`, db``)} end as position) p
    cross join lateral (select (${all(({ from }) => from)})[p.position] as source, (${all(({ domain }) => domain)})[p.position] as domain,
      lower((${all(({ prefix }) => prefix)})[p.position] || u.account || (${all(({ suffix }) => suffix)})[p.position]) as local) r
    cross join lateral (select case
      when r.source is null then 'no-rule'
      when r.source = 'number' then case when r.local ~ ${LOCAL_PART} then null else 'bad-number' end
      when u.mailbox is null then 'nothing-recorded'
      when split_part(lower(u.mailbox), '@', 2) <> r.domain then 'other-domain'
      when u.mailbox_given_at is not null then 'unconfirmed'
      end as problem) a
    where u.deleted_at is null and ${condition})`
}

/** Lower-case accounts that could have this address by a rule that uses the account. */
const possibleAccounts = (rules: readonly AddressRule[], address: string): string[] => {
  const [local = '', domain = ''] = address.split('@')
  return rules.flatMap(({ from, prefix, suffix, domain: of }) => {
    const isLike = from === 'number' && of === domain && local.startsWith(prefix) && local.endsWith(suffix)
    return isLike ? [local.slice(prefix.length, local.length - suffix.length)] : []
  })
}

export type FoundAddress = { address: string | null; problem: Problem | null }

/** The address that the rules give a person; none if it would belong to somebody else too. */
export async function findAddress(db: Db, rules: readonly AddressRule[], userId: string): Promise<FoundAddress> {
  return (await findAddresses(db, rules, [userId])).get(userId) ?? { address: null, problem: 'no-rule' }
}

type PersonAddress = FoundAddress & { id: string }

/** The same for some people. */
export async function findAddresses(
  db: Db,
  rules: readonly AddressRule[],
  ids: readonly string[],
): Promise<Map<string, FoundAddress>> {
  const found = await db<PersonAddress[]>`
    select id, address, problem from ${peopleWithAddress(db, rules, db`u.id = any(${ids as string[]}::uuid[])`)} p`
  const addresses = [...new Set(found.flatMap(({ address }) => address ?? []))]
  const accounts = addresses.flatMap((address) => possibleAccounts(rules, address))
  const like: ReturnType<Db> = db`(lower(u.account) = any(${accounts}) or lower(u.mailbox) = any(${addresses}))`
  const shared = await db<{ address: string }[]>`
    select p.address from ${peopleWithAddress(db, rules, like)} p where p.address = any(${addresses})
    group by p.address having count(*) > 1`
  const isShared = new Set(shared.map(({ address }) => address))
  return new Map(
    found.map(({ id, address, problem }) => [
      id,
      address !== null && isShared.has(address) ? { address: null, problem: 'shared' } : { address, problem },
    ]),
  )
}

/** Everybody's address. */
export async function allAddresses(db: Db, rules: readonly AddressRule[]): Promise<Map<string, FoundAddress>> {
  const rows = await db<(PersonAddress & { count: number })[]>`
    select id, address, problem, count(*) over (partition by address)::int as count
    from ${peopleWithAddress(db, rules, db`true`)} p`
  return new Map(
    rows.map(({ id, address, problem, count }) => [
      id,
      address !== null && count > 1 ? { address: null, problem: 'shared' } : { address, problem },
    ]),
  )
}

/** Applies the rules to everybody, and lists twenty people: a sample, or the first ones with a problem. */
export async function previewOf(
  db: Db,
  rules: readonly AddressRule[],
  show: (typeof PREVIEW_KINDS)[number],
  language: Language,
): Promise<AddressPreview> {
  const selection = {
    // A random sample, because neighbouring accounts are alike; stable while somebody types.
    some: db`true order by hashtextextended(p.id::text, 0)`,
    lacking: db`p.address is null order by p.account`,
    shared: db`s.address is not null order by p.address, p.account`,
  }[show]
  const [row] = await db<AddressPreview[]>`
    with p as materialized (select * from ${peopleWithAddress(db, rules, db`true`)} p),
    s as materialized (select address from p where address is not null group by address having count(*) > 1)
    select (select count(*)::int from p) as people,
      (select count(*)::int from p where address is null) as lacking,
      (select count(*)::int from p join s using (address)) as shared,
      (select coalesce(json_agg(r), '[]') from (
        select p.id, p.account, p.name, p.address,
          (select ${localized(db, 'g', language)} from user_categories g where g.id = p.category_id) as category,
          case when s.address is not null then 'shared' else p.problem end as problem
        from p left join s on s.address = p.address
        where ${selection} limit ${PREVIEWED_PEOPLE}) r) as rows`
  return row ?? { people: 0, lacking: 0, shared: 0, rows: [] }
}
