import type { Language } from '#shared/contract/endpoint.ts'
import type { Db } from '../../platform/db.ts'
import { localized } from '../../platform/localized.ts'
import { type AccessPerson, type RuleFactsRow, type RuleNeeds, ruleFacts, toAccessPerson } from '../access/index.ts'

export type ReplayedLogin = { at: Date; userId: string; ip: string; applicationId: string | null; authType: string }

/** The newest logins in which somebody proved who they are, let in or refused by a rule, from `since` on and before `from`. */
export const listLogins = (db: Db, { since, from }: { since: Date; from: Date }, limit: number) => db<ReplayedLogin[]>`
  select r.at, r.user_id as "userId", host(r.ip) as ip, r.application_id as "applicationId", r.auth_type as "authType"
  from login_records r
  where r.at >= ${since} and r.at < ${from} and r.user_id is not null and (r.succeeded or r.reason = 'rule.refused')
  order by r.at desc limit ${limit}`

/** By the id of the application. */
export type AppIds = ReadonlyMap<string, { appId: string; name: string }>

export async function listAppIds(db: Db, language: Language): Promise<AppIds> {
  const rows = await db<{ id: string; appId: string; name: string }[]>`
    select a.id, a.app_id as "appId", ${localized(db, 'a', language)} as name from applications a`
  return new Map(rows.map(({ id, ...row }) => [id, row]))
}

export type ReplayedPerson = AccessPerson & {
  /** Has an authenticator app: is asked for it at each login, whatever rules say. */ hasApp: boolean
}

/** What rules ask of these people; those who are deleted are missing. */
export async function listReplayedPeople(
  db: Db,
  ids: readonly string[],
  { needs, now }: { needs: RuleNeeds; now: Date },
): Promise<ReadonlyMap<string, ReplayedPerson>> {
  const rows = await db<(RuleFactsRow & { id: string; hasApp: boolean })[]>`
    select u.id, f.totp_secret is not null as "hasApp", ${ruleFacts(db, needs, now)}
    from users u left join second_factors f on f.user_id = u.id
    where u.id = any(${ids as string[]}::uuid[]) and u.deleted_at is null`
  return new Map(rows.map((row) => [row.id, { ...toAccessPerson(row), hasApp: row.hasApp }]))
}
