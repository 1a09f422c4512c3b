import type { PendingQuery, Row } from 'postgres'
import type { PersonStanding, PersonState } from '#shared/contract/users.ts'
import type { Db } from '../../platform/db.ts'

type Condition = PendingQuery<Row[]>

const lockedByHand = (db: Db, now: Date) =>
  db`(u.locked_at is not null and (u.locked_until is null or u.locked_until > ${now}))`
const lockedByFailures = (db: Db, now: Date) => db`
  coalesce((select true from attempt_counters c
    where c.user_id = u.id and c.blocked_until > ${now} and c.kind = 'name' limit 1), false)`
/** Leads to them along the index of people, which asking each does not. */
const amongLockedByFailures = (db: Db, now: Date) => db`
  u.id = any(array(select c.user_id from attempt_counters c
    where c.user_id is not null and c.blocked_until is not null and c.blocked_until > ${now} and c.kind = 'name'))`
const frozen = (db: Db, now: Date) => db`
  (u.frozen_from is not null and u.frozen_from <= ${now} and (u.frozen_until is null or u.frozen_until > ${now}))`
const expired = (db: Db, now: Date) => db`
  ((u.valid_from is not null or u.valid_until is not null) and (u.valid_until <= ${now} or u.valid_from > ${now}) is true)`

const CONDITIONS: Record<PersonState, (db: Db, now: Date) => Condition> = {
  enabled: (db, now) => db`(u.enabled and u.activated and u.dormant_since is null and not ${lockedByHand(db, now)}
    and not ${lockedByFailures(db, now)} and not ${frozen(db, now)} and not ${expired(db, now)})`,
  disabled: (db) => db`not u.enabled`,
  inactive: (db) => db`not u.activated`,
  locked: (db, now) => db`(${lockedByHand(db, now)} or ${lockedByFailures(db, now)})`,
  frozen,
  dormant: (db) => db`u.dormant_since is not null`,
  expired,
  deleted: (db) => db`u.deleted_at is not null`,
}

/**
 * SQL condition: does this hold for the person `u`? Only `deleted` says anything of people who are gone.
 * @param among `all`: it leads to these people. `own`: it is asked of each who is read, and reads nothing of others.
 */
export const holds = (db: Db, state: PersonState, now: Date, among: 'own' | 'all'): Condition =>
  state === 'locked' && among === 'all'
    ? db`(${lockedByHand(db, now)} or ${amongLockedByFailures(db, now)})`
    : CONDITIONS[state](db, now)

export type StateColumns = {
  enabled: boolean
  activated: boolean
  lockedAt: Date | null
  lockedUntil: Date | null
  lockReason: string | null
  blockedUntil: Date | null
  frozenFrom: Date | null
  frozenUntil: Date | null
  freezeReason: string | null
  dormantSince: Date | null
  validFrom: Date | null
  validUntil: Date | null
  createdAt: Date
  deletedAt: Date | null
}

/** Columns of `StateColumns` from `users u`. */
export const stateColumns = (db: Db, now: Date) => db`
  u.enabled, u.activated, u.locked_at as "lockedAt", u.locked_until as "lockedUntil", u.lock_reason as "lockReason",
  (select max(c.blocked_until) from attempt_counters c
    where c.user_id = u.id and c.kind = 'name' and c.blocked_until > ${now}) as "blockedUntil",
  u.frozen_from as "frozenFrom", u.frozen_until as "frozenUntil", u.freeze_reason as "freezeReason",
  u.dormant_since as "dormantSince", u.valid_from as "validFrom", u.valid_until as "validUntil",
  u.created_at as "createdAt", u.deleted_at as "deletedAt"`

type Since = { since?: Date | null; until?: Date | null; reason?: string | null; byFailures?: boolean }

const standing = (state: PersonState, { since, until, reason, byFailures = false }: Since = {}): PersonStanding => ({
  state,
  since: since?.toISOString() ?? null,
  until: until?.toISOString() ?? null,
  reason: reason ?? null,
  byFailures,
})

const isOn = (now: Date, from: Date | null, until: Date | null): boolean =>
  from !== null && from <= now && (until === null || until > now)

const lockOf = (u: StateColumns, now: Date): PersonStanding | null => {
  if (isOn(now, u.lockedAt, u.lockedUntil)) {
    return standing('locked', { since: u.lockedAt, until: u.lockedUntil, reason: u.lockReason })
  }
  return u.blockedUntil ? standing('locked', { until: u.blockedUntil, byFailures: true }) : null
}

const expiryOf = ({ validFrom, validUntil }: StateColumns, now: Date): PersonStanding | null => {
  if (validUntil && validUntil <= now) return standing('expired', { since: validUntil })
  return validFrom && validFrom > now ? standing('expired', { until: validFrom }) : null
}

const freezeOf = (u: StateColumns, now: Date): PersonStanding | null =>
  isOn(now, u.frozenFrom, u.frozenUntil)
    ? standing('frozen', { since: u.frozenFrom, until: u.frozenUntil, reason: u.freezeReason })
    : null

/** All that holds for somebody now, the gravest first; `enabled` when nothing else does. */
export function standingsOf(u: StateColumns, now: Date): PersonStanding[] {
  const found = [
    u.deletedAt ? standing('deleted', { since: u.deletedAt }) : null,
    u.enabled ? null : standing('disabled'),
    lockOf(u, now),
    freezeOf(u, now),
    expiryOf(u, now),
    u.activated ? null : standing('inactive', { since: u.createdAt }),
    u.dormantSince ? standing('dormant', { since: u.dormantSince }) : null,
  ].filter((one) => one !== null)
  return found.length > 0 ? found : [standing('enabled')]
}
