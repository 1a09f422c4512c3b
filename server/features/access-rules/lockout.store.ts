import type { RangeKind } from '#shared/contract/ip-ranges.ts'
import type { Db } from '../../platform/db.ts'
import { type RuleFactsRow, type RuleNeeds, ruleFacts } from '../access/index.ts'
import { isUsableSuperUser } from '../user-accounts/index.ts'

export type PlaceRow = { ip: string; rangeId: string | null; rangeKind: RangeKind | null }

/** The range of each address as the transaction has left them: the smallest network that contains it decides. */
export const findPlaces = (db: Db, addresses: readonly string[]) => db<PlaceRow[]>`
  select t.ip, r.id as range_id, r.kind as range_kind
  from unnest(${addresses as string[]}::text[]) t (ip) left join lateral (
    select r.id, r.kind from ip_ranges r, unnest(r.networks) n
    where r.enabled and n >>= t.ip::inet order by masklen(n) desc limit 1) r on true`

type SuperUserRow = RuleFactsRow & { ip: string }

/**
 * Until the end of the transaction. Of two changes that lock out only together, the later one sees the other: those of rules and ranges
 * wait for all others, those of people only for them.
 */
export const lockJudgement = (db: Db, { ofPolicies }: { ofPolicies: boolean }) => {
  const key = db`hashtextextended('access lockout', 0)`
  return ofPolicies ? db`select pg_advisory_xact_lock(${key})` : db`select pg_advisory_xact_lock_shared(${key})`
}

/** Enough to find one who gets in, few enough to look up. */
const MAX_SUPER_USERS = 50

/** Super users who can log in, with the address of their last login since `since`. */
export const listSuperUserLogins = (db: Db, needs: RuleNeeds, { now, since }: { now: Date; since: Date }) => db<
  SuperUserRow[]
>`
  select ${ruleFacts(db, needs, now)}, host(l.ip) as ip
  from users u cross join lateral (
    select l.ip from login_records l where l.user_id = u.id and l.succeeded and l.at >= ${since} order by l.at desc limit 1) l
  where ${isUsableSuperUser(db, now)}
  order by u.id limit ${MAX_SUPER_USERS}`
