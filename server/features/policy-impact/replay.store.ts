import type { Language } from '#shared/contract/endpoint.ts'
import type { Db } from '../../platform/db.ts'
import { localized } from '../../platform/localized.ts'
import {
  type AccessPerson,
  factsKey,
  mayBeNamed,
  type NamedPeople,
  type RuleFactsRow,
  type RuleNeeds,
  ruleFacts,
  toAccessPerson,
} from '../access/index.ts'

export type ReplayedLogin = { at: Date; userId: string; ip: string; applicationId: string | null }

/** What logins are distinguished by; what no rule needs is the same for all. */
export type Distinctions = {
  needs: RuleNeeds
  /** If false, nothing about people is read. */
  asksPerson: boolean
  /** The people whom the change can affect; null: everybody. */
  named: NamedPeople | null
  /** Ids of the applications that rules name. */
  applications: readonly string[]
  /** When rules start or stop applying. */
  moments: readonly Date[]
  /** Addresses with this common prefix length (IPv4) are in the same place; null: places don't matter. */
  prefix: number | null
  /** Login methods that may be preceded by a captcha. */
  captchaTypes: readonly string[]
}

/** Logins that are equivalent for the rules. */
export type LoginGroup = {
  /** The key of equivalent people; null: nothing about people is needed. */
  person: string | null
  /** They have an authenticator app and are asked for it at each login, whatever rules say. */
  hasApp: boolean
  /** An address of the place; null: doesn't matter. */
  address: string | null
  /** How many of the moments are before it. */
  moment: number
  /** The id of an application that rules name; empty: the portal; null: another one. */
  application: string | null
  hasCaptcha: boolean
  /** One line per login, parsed by `loginsOf`. */
  lines: string
}

/** Enough to group the logins of a week without temporary files. */
const WORK_MEMORY = '64MB'

/** Until the end of the transaction. */
export const useMemory = (db: Db) => db`select set_config('work_mem', ${WORK_MEMORY}, true)`

/** How many login records there are since then, counted up to `most`. */
export async function countRecords(db: Db, since: Date, most: number): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from (select from login_records where at >= ${since} limit ${most}) r`
  return row?.count ?? 0
}

/**
 * Until the end of the transaction people are looked up one by one. The planner would read all of them for each step, so that every step
 * would cost the same, however short.
 */
export const preferLookUps = (db: Db) => db`
  select set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`

/** The logins of a period in which the person proved who they are, whether let in or rejected by a rule; without people deleted since. */
export const listLoginGroups = (
  db: Db,
  { since, until }: { since: Date; until: Date },
  { needs, asksPerson, named, applications, moments, prefix, captchaTypes }: Distinctions,
) => db<LoginGroup[]>`
  select ${asksPerson ? factsKey(db, needs) : db`null`} as person, ${asksPerson ? db`f.totp_secret is not null` : db`false`} as has_app,
    ${
      prefix === null
        ? db`null`
        : db`case family(r.ip) when 4 then host(network(set_masklen(r.ip, ${prefix}::int))) else host(r.ip) end`
    } as address,
    ${moments.length === 0 ? db`0` : db`width_bucket(r.at, ${moments.map((at) => at.toISOString())}::text[]::timestamptz[])`} as moment,
    case when r.application_id is null then '' when r.application_id = any(${applications as string[]}::uuid[])
      then r.application_id::text end as application,
    r.auth_type = any(${captchaTypes as string[]}) as has_captcha,
    string_agg(concat_ws(' ', floor(date_part('epoch', r.at) * 1000)::bigint, r.user_id, host(r.ip), r.application_id), ',') as lines
  from login_records r ${
    asksPerson
      ? db`join users u on u.id = r.user_id and u.deleted_at is null and (${named ? mayBeNamed(db, named) : db`true`})
        left join second_factors f on f.user_id = u.id`
      : db``
  }
  where r.at >= ${since} and r.at < ${until} and r.user_id is not null and (r.succeeded or r.reason = 'rule.refused')
  group by 1, 2, 3, 4, 5, 6`

/** One of the people of a group. */
export const firstUserOf = ({ lines }: LoginGroup): string => lines.slice(0, 80).split(' ', 2)[1] ?? ''

/** One by one: all of a week at once would be as much memory again. */
export function* loginsOf({ lines }: LoginGroup): Generator<ReplayedLogin> {
  for (let from = 0; from < lines.length; ) {
    const end = lines.indexOf(',', from)
    const to = end < 0 ? lines.length : end
    const [at, userId = '', ip = '', applicationId = null] = lines.slice(from, to).split(' ')
    yield { at: new Date(Number(at)), userId, ip, applicationId }
    from = to + 1
  }
}

/** By the id of the application. */
export type AppIds = ReadonlyMap<string, { appId: string; name: string }>

export async function listAppIds(db: Db, language: Language): Promise<AppIds> {
  const rows = await db<{ id: string; appId: string; name: string }[]>`
    select a.id, a.app_id, ${localized(db, 'a', language)} as name from applications a`
  return new Map(rows.map(({ id, ...row }) => [id, row]))
}

/** The facts that rules need about these people, by id. */
export async function listFacts(
  db: Db,
  ids: readonly string[],
  { needs, now }: { needs: RuleNeeds; now: Date },
): Promise<ReadonlyMap<string, AccessPerson>> {
  const rows = await db<(RuleFactsRow & { id: string })[]>`
    select u.id, ${ruleFacts(db, needs, now)} from users u where u.id = any(${ids as string[]}::uuid[])`
  return new Map(rows.map((row) => [row.id, toAccessPerson(row)]))
}

/** The longest prefix of any IPv4 network in an enabled range. */
export async function findLongestPrefix(db: Db): Promise<number> {
  const [row] = await db<{ prefix: number | null }[]>`
    select max(masklen(n)) as prefix from ip_ranges cross join unnest(networks) n where enabled and family(n) = 4`
  return row?.prefix ?? 0
}
