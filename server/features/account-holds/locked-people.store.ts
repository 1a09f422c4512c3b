import type { LockedPerson } from '#shared/contract/account-holds.ts'
import type { Language } from '#shared/contract/endpoint.ts'
import type { Db } from '../../platform/db.ts'
import { isLoginHold } from '../attempts/index.ts'
import { heldPersonColumns, heldPersonJoins } from './held-people.store.ts'

export type LockedRow = Pick<
  LockedPerson,
  'id' | 'account' | 'name' | 'organization' | 'category' | 'closed' | 'lastAddress'
> & {
  isByHand: boolean
  lockedAt: Date | null
  lockedUntil: Date | null
  lockReason: string | null
  lockCause: 'dormancy' | null
  lockedBy: string | null
  blockedAt: Date | null
  blockedUntil: Date | null
}

/** Failures are recorded with the failed login; older ones caused no lock-out that still holds. */
const MAX_FAILURE_AGE = '2 days'

/** The locked people of a page, in the order of the ids. */
export const listLockedRows = (db: Db, ids: readonly string[], language: Language, now: Date) => db<LockedRow[]>`
  select ${heldPersonColumns(db, language)},
    u.locked_at is not null and (u.locked_until is null or u.locked_until > ${now}) as is_by_hand,
    u.locked_at, u.locked_until, u.lock_reason, u.lock_cause,
    (select a.name from users a where a.id = u.locked_by) as locked_by,
    f.at as blocked_at, f.until as blocked_until, f.closed, l.ip as last_address
  ${heldPersonJoins(db, ids)}
    left join lateral (
      select max((select max(t) from unnest(c.recent) t)) as at, max(c.blocked_until) as until,
        coalesce(array_agg(distinct c.kind), '{}') as closed
      from attempt_counters c where c.user_id = u.id and ${isLoginHold(db)} and c.blocked_until > ${now}) f on true
    left join lateral (
      select host(r.ip) as ip from login_records r
      where r.user_id = u.id and not r.succeeded and f.until is not null
        and r.at between ${now}::timestamptz - ${MAX_FAILURE_AGE}::interval and ${now}
      order by r.at desc limit 1) l on true
  order by p.position`
