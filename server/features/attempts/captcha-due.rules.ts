import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import { lockSteps } from './attempts.service.ts'

type Rules = Pick<SignInPolicy, 'captchaOn' | 'captchaAfterFailures' | 'addressFailures'>
type Failures = {
  /** Of whoever has the typed name, of the name alone when nobody has it, or of a device that is known. */
  failures: number
  /** Names that failed from the address. */
  addressFailures: number
  /** A known device answers for itself alone. */
  isKnownDevice?: boolean
}

/** Is a captcha asked for at the next attempt, by the failures before? Access rules may ask for one besides. */
export function isCaptchaDue(
  { captchaOn, captchaAfterFailures, addressFailures: addressLimit }: Rules,
  where: SignInPolicy['captchaOn'][number],
  { failures, addressFailures, isKnownDevice = false }: Failures,
): boolean {
  const byAddress = !isKnownDevice && addressFailures >= addressLimit
  return captchaOn.includes(where) && (failures >= captchaAfterFailures || byAddress)
}

/** A login as a record tells of it. */
export type LoginEvent = {
  at: Date
  /** Null: the name was nobody’s. */
  userId: string | null
  /** As it was typed, or masked. */
  name: string
  address: string
  failed: boolean
  /** By password; other methods count for the address alone. */
  byPassword: boolean
}

/** Of one person; the twin of a row of counters. */
type Counter = { recent: readonly number[]; blockedUntil: number; locks: number }
const EMPTY: Counter = { recent: [], blockedUntil: 0, locks: 0 }

/** What still counts: nothing of what led to a lock that is over. */
const recentOf = ({ recent, blockedUntil }: Counter, time: number, since: number): readonly number[] =>
  blockedUntil > 0 && blockedUntil <= time ? [] : recent.filter((one) => one > since)

/** During a lock nothing counts. */
function withFailure(policy: SignInPolicy, counter: Counter, time: number, since: number): Counter {
  if (counter.blockedUntil > time) return counter
  const recent = [...recentOf(counter, time, since), time]
  if (recent.length < policy.lockAfterFailures) return { ...counter, recent, blockedUntil: 0 }
  const steps = lockSteps(policy)
  const minutes = steps[Math.min(counter.locks, steps.length - 1)] ?? policy.lockMinutes
  return { recent, blockedUntil: time + minutes * 60_000, locks: counter.locks + 1 }
}

/** The names that failed from each address, with when. */
function createAddresses() {
  const addresses = new Map<string, Map<string, number>>()
  return (address: string, since: number): Map<string, number> => {
    const names = addresses.get(address) ?? new Map<string, number>()
    addresses.set(address, names)
    for (const [name, last] of names) if (last <= since) names.delete(name)
    return names
  }
}

/**
 * Plays the records of logins through the decision, had these rules held: the twin of the counters that logins keep, which a test plays the
 * same attempts through. As from browsers that nobody knows: records don't tell a known one.
 * @returns for each login, taken one after the other from the earliest on, whether a captcha was asked before it
 */
export function replayCaptchas(policy: SignInPolicy): (event: LoginEvent) => boolean {
  const people = new Map<string, Counter>()
  const namesFrom = createAddresses()
  return ({ at, userId, name, address, failed, byPassword }) => {
    const time = at.getTime()
    const since = time - policy.failureWindowMinutes * 60_000
    const names = namesFrom(address, since)
    const addressFailures = names.size
    if (failed) names.set(name, time)
    else names.delete(name)
    if (!byPassword) return false
    const counter = people.get(userId ?? '') ?? EMPTY
    if (userId !== null) people.set(userId, failed ? withFailure(policy, counter, time, since) : EMPTY)
    return isCaptchaDue(policy, 'login', { failures: recentOf(counter, time, since).length, addressFailures })
  }
}
