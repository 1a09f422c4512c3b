import type { DormancyPhase, LockKind, PersonState, PersonStateDetails, UserDetails } from '#shared/contract/users.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'
import { toIso } from '../../platform/iso-time.ts'
import { isLoginHold } from '../attempts/index.ts'
import { isDormantSoon, type Terms } from '../dormancy/index.ts'

type Condition = SqlFragment

const lockedByHand = (db: Db, now: Date) =>
  db`(u.locked_at is not null and (u.locked_until is null or u.locked_until > ${now}))`
const lockedByFailures = (db: Db, now: Date) => db`
  coalesce((select true from attempt_counters c
    where c.user_id = u.id and c.blocked_until > ${now} and ${isLoginHold(db)} limit 1), false)`
/** Finds them by the index of people, unlike a check per person. */
const lockedByFailuresLookup = (db: Db, now: Date) => db`
  u.id = any(array(select c.user_id from attempt_counters c
    where c.user_id is not null and c.blocked_until is not null and c.blocked_until > ${now} and ${isLoginHold(db)}))`
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
 * SQL condition: is the person `u` in this state? Only `deleted` matches deleted people.
 * @param lookup `all`: the condition finds these people. `own`: it is checked per row, and reads nothing about others.
 */
export const stateCondition = (db: Db, state: PersonState, now: Date, lookup: 'own' | 'all'): Condition =>
  state === 'locked' && lookup === 'all'
    ? db`(${lockedByHand(db, now)} or ${lockedByFailuresLookup(db, now)})`
    : CONDITIONS[state](db, now)

/** SQL value: the most severe state, apart from failed attempts, in which `u` can't log in at all; null: none. */
export const closedState = (db: Db, now: Date): Condition => db`
  case when not u.enabled then 'disabled' when ${lockedByHand(db, now)} then 'locked' when ${frozen(db, now)} then 'frozen'
    when ${expired(db, now)} then 'expired' when not u.activated then 'inactive' end`

export type ExemptionColumns = { isExempt: boolean; exemptUntil: Date | null }

/** SQL columns of `ExemptionColumns` from `users u`. */
export const exemptionColumns = (db: Db, now: Date): Condition => db`
  coalesce(u.dormancy_exempt_until > ${now}, false) as is_exempt, nullif(u.dormancy_exempt_until, 'infinity') as exempt_until`

export const toExemption = ({ isExempt, exemptUntil }: ExemptionColumns): { until: string | null } | null =>
  isExempt ? { until: toIso(exemptUntil) } : null

/** Checked for the few who are locked: the source of a small scope lacks some columns. */
const isLockedFor = (db: Db, cause: Condition, lookup: 'own' | 'all'): Condition =>
  lookup === 'all'
    ? db`u.lock_cause ${cause}`
    : db`coalesce((select l.lock_cause ${cause} from users l where l.id = u.id), false)`

/** For locked people: by whom. `lookup` as in `stateCondition`. */
export function lockedByCondition(db: Db, by: LockKind, now: Date, lookup: 'own' | 'all'): Condition {
  if (by === 'administrator') return db`(${lockedByHand(db, now)} and ${isLockedFor(db, db`is null`, lookup)})`
  if (by === 'dormancy') return db`(${lockedByHand(db, now)} and ${isLockedFor(db, db`= 'dormancy'`, lookup)})`
  const failed = lookup === 'all' ? lockedByFailuresLookup(db, now) : lockedByFailures(db, now)
  return db`(${failed} and not ${lockedByHand(db, now)})`
}

/** People who are frozen, will be, or both. */
export function freezeCondition(db: Db, phase: 'any' | 'begun' | 'planned', now: Date): Condition {
  if (phase === 'begun') return frozen(db, now)
  const isOpen = db`u.frozen_from is not null and (u.frozen_until is null or u.frozen_until > ${now})`
  return phase === 'any' ? db`(${isOpen})` : db`(${isOpen} and u.frozen_from > ${now})`
}

/** Checked for the few who are frozen: the source of a small scope lacks some columns. */
export const freezeCauseCondition = (db: Db, cause: string): Condition => db`
  (u.frozen_from is not null and coalesce((select f.freeze_cause = ${cause} from users f where f.id = u.id), false))`

/** Exempt from dormancy. Checked per person: the source of a small scope lacks the column. */
const isExempt = (db: Db, now: Date, lookup: 'own' | 'all'): Condition =>
  lookup === 'all'
    ? db`u.dormancy_exempt_until > ${now}`
    : db`coalesce((select e.dormancy_exempt_until > ${now} from users e where e.id = u.id), false)`

/** @param terms for `soon` only. `lookup` as in `stateCondition`. */
export function dormancyCondition(
  db: Db,
  { phase, terms, now }: { phase: DormancyPhase; terms: Terms | null; now: Date },
  lookup: 'own' | 'all',
): Condition {
  if (phase === 'exempt') return isExempt(db, now, lookup)
  if (phase === 'soon' && terms) return isDormantSoon(db, terms, lookup)
  return db`u.dormant_since is not null`
}

/** Has `u` never logged in? Checked per person, as `isExempt`; for dormant people there is an index. */
export function neverLoggedInCondition(db: Db, lookup: 'own' | 'all', phase: DormancyPhase | undefined): Condition {
  if (lookup === 'own') return db`coalesce((select l.last_login_at is null from users l where l.id = u.id), false)`
  return phase === 'dormant' ? db`u.dormant_unused` : db`u.last_login_at is null`
}

/** SQL value: when the freeze of `u` began or will, to be shown; one that began at once has no start of its own. */
export const freezeStart = (db: Db): Condition => db`greatest(u.frozen_from, u.frozen_at)`

export type StateColumns = {
  enabled: boolean
  activated: boolean
  lockedAt: Date | null
  lockedUntil: Date | null
  lockReason: string | null
  lockCause: 'dormancy' | null
  blockedUntil: Date | null
  frozenFrom: Date | null
  frozenSince: Date | null
  frozenUntil: Date | null
  freezeReason: string | null
  freezeNote: string | null
  dormantSince: Date | null
  validFrom: Date | null
  validUntil: Date | null
  createdAt: Date
  /** Null unless the account was reset. */
  inactiveSince: Date | null
  deletedAt: Date | null
}

/** Columns of `StateColumns` from `users u`. */
export const stateColumns = (db: Db, now: Date) => db`
  u.enabled, u.activated, u.locked_at, u.locked_until, u.lock_reason,
  u.lock_cause,
  (select max(c.blocked_until) from attempt_counters c
    where c.user_id = u.id and ${isLoginHold(db)} and c.blocked_until > ${now}) as blocked_until,
  u.frozen_from, ${freezeStart(db)} as frozen_since, u.frozen_until, u.freeze_reason,
  u.freeze_note,
  u.dormant_since, u.valid_from, u.valid_until,
  u.created_at, u.inactive_since, u.deleted_at`

type StateOptions = {
  since?: Date | null
  until?: Date | null
  reason?: string | null
  note?: string | null
  byFailures?: boolean
  byDormancy?: boolean
}

const toState = (
  state: PersonState,
  { since, until, reason, note, byFailures = false, byDormancy = false }: StateOptions = {},
): PersonStateDetails => ({
  state,
  since: toIso(since),
  until: toIso(until),
  reason: reason ?? null,
  note: note ?? null,
  byFailures,
  byDormancy,
})

const isActiveAt = (now: Date, from: Date | null, until: Date | null): boolean =>
  from !== null && from <= now && (until === null || until > now)

const toLock = (u: StateColumns, now: Date): PersonStateDetails | null => {
  if (isActiveAt(now, u.lockedAt, u.lockedUntil)) {
    const byDormancy = u.lockCause === 'dormancy'
    return toState('locked', { since: u.lockedAt, until: u.lockedUntil, reason: u.lockReason, byDormancy })
  }
  return u.blockedUntil ? toState('locked', { until: u.blockedUntil, byFailures: true }) : null
}

const toExpiry = ({ validFrom, validUntil }: StateColumns, now: Date): PersonStateDetails | null => {
  if (validUntil && validUntil <= now) return toState('expired', { since: validUntil })
  return validFrom && validFrom > now ? toState('expired', { until: validFrom }) : null
}

const toFreeze = (u: StateColumns, now: Date): PersonStateDetails | null =>
  isActiveAt(now, u.frozenFrom, u.frozenUntil)
    ? toState('frozen', { since: u.frozenSince, until: u.frozenUntil, reason: u.freezeReason, note: u.freezeNote })
    : null

/** A freeze that has not begun. */
export const toPlannedFreeze = (u: StateColumns, now: Date): UserDetails['plannedFreeze'] =>
  u.frozenFrom && u.frozenFrom > now && (u.frozenUntil === null || u.frozenUntil > now)
    ? { from: u.frozenFrom.toISOString(), until: toIso(u.frozenUntil), reason: u.freezeReason, note: u.freezeNote }
    : null

/** All current states of a person, the most severe first; `enabled` if there is no other. */
export function toPersonStates(u: StateColumns, now: Date): PersonStateDetails[] {
  const found = [
    u.deletedAt ? toState('deleted', { since: u.deletedAt }) : null,
    u.enabled ? null : toState('disabled'),
    toLock(u, now),
    toFreeze(u, now),
    toExpiry(u, now),
    u.activated ? null : toState('inactive', { since: u.inactiveSince ?? u.createdAt }),
    u.dormantSince ? toState('dormant', { since: u.dormantSince }) : null,
  ].filter((one) => one !== null)
  return found.length > 0 ? found : [toState('enabled')]
}
