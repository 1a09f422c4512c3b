import type { Permission } from '#shared/contract/permissions.ts'
import type { PersonVerb } from '#shared/contract/user-verbs.ts'
import type { FreezeCause } from '#shared/contract/users.ts'
import type { AuditInput } from '../records/index.ts'
import type { VerbChange } from '../user-accounts/index.ts'
import { userErrors as errors } from '../user-accounts/index.ts'
import type { VerbTarget } from './verbs.store.ts'

export type VerbInput = {
  verb: PersonVerb
  /** The permission required of a caller who is no super user; by default that of the verb. */
  permission?: Permission
  reason?: string | undefined
  /** For a freeze: a note for colleagues. */
  note?: string | undefined
  cause?: FreezeCause | undefined
  from?: Date | null
  until?: Date | null
}

export const REQUIRED_PERMISSION: Record<PersonVerb, Permission> = {
  disable: 'edit',
  enable: 'edit',
  lock: 'edit',
  freeze: 'edit',
  extend: 'edit',
  delete: 'edit',
  restore: 'edit',
  exempt: 'edit',
  end_exemption: 'edit',
  unlock: 'unlock',
  thaw: 'unlock',
  wake: 'unlock',
  set_administrator: 'edit',
  cancel_administrator: 'edit',
}

const ACTION: Record<PersonVerb, string> = {
  disable: 'account.disable',
  enable: 'account.enable',
  lock: 'account.lock',
  unlock: 'account.unlock',
  freeze: 'account.freeze',
  extend: 'account.freeze-extend',
  thaw: 'account.thaw',
  wake: 'account.wake',
  exempt: 'account.dormancy-exempt',
  end_exemption: 'account.dormancy-exempt-end',
  delete: 'account.delete',
  restore: 'account.restore',
  set_administrator: 'administrator.set',
  cancel_administrator: 'administrator.cancel',
}

/** When it takes effect; null: now, since nothing can be frozen in the past. */
export const effectiveStart = ({ from }: Pick<VerbInput, 'from'>, now: Date): Date | null =>
  from && from > now ? from : null

/**
 * An end in the past would have no effect, but be reported as done.
 * @throws Refusal `user.dates` for an end that is not after now and after the start.
 */
export function requireValidDates(dates: Pick<VerbInput, 'from' | 'until'>, now: Date): void {
  const { until } = dates
  if (until && until <= (effectiveStart(dates, now) ?? now)) throw errors['user.dates']({ data: { fields: ['until'] } })
}

const isSame = (one: Date | null, other: Date | null) => one?.getTime() === other?.getTime()

/** Is the person already in the state that the verb would produce? */
export const ALREADY_APPLIED: Record<PersonVerb, (target: VerbTarget, input: VerbInput, now: Date) => boolean> = {
  disable: ({ enabled }) => !enabled,
  enable: ({ enabled }) => enabled,
  lock: ({ lockedAt, lockedUntil }, { until = null }, now) =>
    lockedAt !== null && (!lockedUntil || lockedUntil > now) && isSame(lockedUntil, until),
  unlock: ({ lockedAt, hasFailures }) => lockedAt === null && !hasFailures,
  freeze: ({ frozenFrom, frozenUntil, freezeCause }, input, now) => {
    const from = effectiveStart(input, now)
    const isSince = frozenFrom !== null && (from ? isSame(frozenFrom, from) : frozenFrom <= now)
    const isCause = input.cause === undefined || input.cause === freezeCause
    return isSince && isCause && isSame(frozenUntil, input.until ?? null)
  },
  extend: ({ frozenUntil }, { until = null }) => isSame(frozenUntil, until),
  thaw: ({ frozenFrom }) => frozenFrom === null,
  wake: ({ dormantSince }) => dormantSince === null,
  exempt: ({ isExempt, exemptUntil }, { until = null }) => isExempt && isSame(exemptUntil, until),
  end_exemption: ({ isExempt }) => !isExempt,
  delete: ({ deletedAt }) => deletedAt !== null,
  restore: ({ deletedAt }) => deletedAt === null,
  set_administrator: ({ isSuperUser }) => isSuperUser,
  cancel_administrator: ({ isSuperUser }) => !isSuperUser,
}

const isOpen = (until: Date | null, now: Date): boolean => until === null || until > now

/** Does the verb replace a lock, a freeze or an exemption that still holds or is planned? */
export function replacesFormer(target: VerbTarget, verb: PersonVerb, now: Date): boolean {
  const { lockedAt, lockedUntil, frozenFrom, frozenUntil, isExempt } = target
  if (verb === 'lock') return lockedAt !== null && isOpen(lockedUntil, now)
  if (verb === 'freeze') return frozenFrom !== null && isOpen(frozenUntil, now)
  return verb === 'exempt' && isExempt
}

/** Why a verb doesn't apply to a person in their current state; null: it does. */
export function refusalCode({ frozenFrom, frozenUntil }: VerbTarget, { verb, until }: VerbInput, now: Date) {
  if (verb !== 'extend') return null
  if (!frozenFrom || (frozenUntil && frozenUntil <= now)) return 'user.not-frozen'
  return until && until <= frozenFrom ? 'user.dates' : null
}

export const LOCKOUT_VERBS: ReadonlySet<PersonVerb> = new Set([
  'disable',
  'lock',
  'freeze',
  'delete',
  'cancel_administrator',
])

/** The audit record of a person whom a verb changed. */
export function toAuditLine(target: VerbTarget, { verb, reason }: VerbInput, change: VerbChange): AuditInput {
  const line = { action: ACTION[verb], targetKind: 'user', targetId: target.id, ...(reason && { reason }) }
  const { account } = target
  return {
    ...line,
    before: { account, ...auditBefore(target, verb, change.at) },
    after: { account, ...auditAfter(verb, change) },
  }
}

function auditBefore(target: VerbTarget, verb: PersonVerb, at: Date): Record<string, unknown> {
  const { enabled, lockedAt, lockedUntil, frozenSince, frozenUntil, freezeCause, dormantSince, deletedAt } = target
  const { isExempt, exemptUntil, isSuperUser } = target
  const lock = { lockedAt, lockedUntil }
  const freeze = { frozenFrom: frozenSince, frozenUntil, freezeCause }
  const exemption = { isDormancyExempt: isExempt, dormancyExemptUntil: isExempt ? exemptUntil : null }
  const facts: Record<PersonVerb, Record<string, unknown>> = {
    disable: { enabled },
    enable: { enabled },
    // An earlier one that was over has a record of its end.
    lock: isOpen(lockedUntil, at) ? lock : { lockedAt: null, lockedUntil: null },
    unlock: lock,
    freeze,
    extend: { frozenUntil },
    thaw: freeze,
    wake: { dormantSince },
    exempt: exemption,
    end_exemption: exemption,
    delete: { deletedAt },
    restore: { deletedAt },
    set_administrator: { isSuperUser },
    cancel_administrator: { isSuperUser },
  }
  return facts[verb]
}

function auditAfter(verb: PersonVerb, { from, until, cause, note, at }: VerbChange): Record<string, unknown> {
  const results: Record<PersonVerb, Record<string, unknown>> = {
    disable: { enabled: false },
    enable: { enabled: true },
    lock: { lockedAt: at, lockedUntil: until },
    unlock: { lockedAt: null, lockedUntil: null },
    freeze: { frozenFrom: from ?? at, frozenUntil: until, freezeCause: cause, ...(note && { freezeNote: note }) },
    extend: { frozenUntil: until },
    thaw: { frozenFrom: null, frozenUntil: null, freezeCause: null },
    wake: { dormantSince: null },
    exempt: { isDormancyExempt: true, dormancyExemptUntil: until },
    end_exemption: { isDormancyExempt: false, dormancyExemptUntil: null },
    delete: { deletedAt: at },
    restore: { deletedAt: null },
    set_administrator: { isSuperUser: true },
    cancel_administrator: { isSuperUser: false },
  }
  return results[verb]
}
