import { RULE_DIMENSIONS, RULE_OUTCOMES, type RuleOutcome } from '#shared/contract/access-rules.ts'
import type { Language } from '#shared/contract/endpoint.ts'
import type { RangeKind } from '#shared/contract/ip-ranges.ts'
import { MINUTE_MS } from '#shared/rules/durations.ts'
import type { AccessFacts, AccessPerson, Reference, SaidRule, StoredRule } from './access-rules.types.ts'
import { clockIn } from './zone-clock.rules.ts'

/** The `appId` of the portal. */
export const PORTAL_APP_ID = 'portal'

type Who = Pick<StoredRule['who'], 'administrators'> &
  Record<'categories' | 'organizations' | 'roles', ReadonlySet<string>>
type Where = { ranges: ReadonlySet<string>; kinds: ReadonlySet<RangeKind>; isInside: boolean }

/** A rule in the form that is evaluated: of its references, only those that exist. */
export type JudgedRule = Pick<StoredRule, 'id' | 'name' | 'mode' | 'outcome' | 'message' | 'messages'> & {
  /** Null: everybody, everywhere, always, every application; `nobody`: all its references are deleted. */
  who: Who | 'nobody' | null
  where: Where | 'nobody' | null
  when: StoredRule['when'] | null
  applications: ReadonlySet<string> | 'nobody' | null
}

export const referenceKey = ({ field, value }: Reference): string => `${field} ${value}`

/** Everything that a rule references. */
export const referencesOf = ({ who, where, applications }: StoredRule): Reference[] => [
  ...who.categories.map((value) => ({ field: 'who.categories' as const, value })),
  ...who.organizations.map((value) => ({ field: 'who.organizations' as const, value })),
  ...who.roles.map((value) => ({ field: 'who.roles' as const, value })),
  ...where.ranges.map((value) => ({ field: 'where.ranges' as const, value })),
  ...applications.map((value) => ({ field: 'applications' as const, value })),
]

/** If an entry of a list is missing, the list matches everybody where that is the safe side, else the entries left. */
function narrow<T>(isMissing: boolean, isEmpty: boolean, isSafeForAll: boolean, part: T): T | 'nobody' | null {
  if (isMissing && isSafeForAll) return null
  return isEmpty ? 'nobody' : part
}

function judgedWho({ who }: StoredRule, isGone: (one: Reference) => boolean, isSafeForAll: boolean): JudgedRule['who'] {
  const given = who.categories.length + who.organizations.length + who.roles.length
  if (given === 0 && !who.administrators) return null
  const withoutGone = (field: Reference['field'], values: readonly string[]) =>
    new Set(values.filter((value) => !isGone({ field, value })))
  const part = {
    administrators: who.administrators,
    categories: withoutGone('who.categories', who.categories),
    organizations: withoutGone('who.organizations', who.organizations),
    roles: withoutGone('who.roles', who.roles),
  }
  const remaining = part.categories.size + part.organizations.size + part.roles.size
  return narrow(remaining < given, remaining === 0 && !who.administrators, isSafeForAll, part)
}

function judgedWhere(
  { where }: StoredRule,
  isGone: (one: Reference) => boolean,
  isSafeForAll: boolean,
): JudgedRule['where'] {
  if (where.ranges.length === 0 && where.kinds.length === 0) return null
  const ranges = new Set(where.ranges.filter((value) => !isGone({ field: 'where.ranges', value })))
  const isMissing = ranges.size < where.ranges.length
  const isInside = where.place === 'inside'
  // What was inside a deleted range must not count as outside of it now.
  const isEmpty = isInside ? ranges.size === 0 && where.kinds.length === 0 : isMissing
  return narrow(isMissing, isEmpty, isSafeForAll, { ranges, kinds: new Set(where.kinds), isInside })
}

function judgedApplications(
  { applications }: StoredRule,
  isGone: (one: Reference) => boolean,
  isSafeForAll: boolean,
): JudgedRule['applications'] {
  if (applications.length === 0) return null
  const remaining = new Set(applications.filter((value) => !isGone({ field: 'applications', value })))
  return narrow(remaining.size < applications.length, remaining.size === 0, isSafeForAll, remaining)
}

/** Asking one person too many does no harm; whom a refusal was for can't be guessed. */
export const asksWhenUnsure = ({ outcome }: Pick<StoredRule, 'outcome'>): boolean =>
  outcome === 'second-factor' || outcome === 'captcha'

/** @param gone the rule's references that are deleted or disabled, by `referenceKey` */
export function judgeableRule(rule: StoredRule, gone: ReadonlySet<string>): JudgedRule {
  const { id, name, mode, outcome, message, messages, when } = rule
  const isGone = (one: Reference) => gone.has(referenceKey(one))
  const isSafeForAll = asksWhenUnsure(rule)
  return {
    id,
    name,
    mode,
    outcome,
    message,
    messages,
    who: judgedWho(rule, isGone, isSafeForAll),
    where: judgedWhere(rule, isGone, isSafeForAll),
    when: when.weekdays.length === 0 && when.from === null ? null : when,
    applications: judgedApplications(rule, isGone, isSafeForAll),
  }
}

const some = (set: ReadonlySet<string>, values: readonly string[]): boolean => values.some((value) => set.has(value))

function isWhom({ who }: JudgedRule, person: AccessPerson | null): boolean {
  if (who === null) return true
  if (who === 'nobody' || person === null) return false
  return (
    (who.administrators && person.administers) ||
    (person.category !== null && who.categories.has(person.category)) ||
    some(who.organizations, person.organizations) ||
    some(who.roles, person.roles)
  )
}

function isThere({ where }: JudgedRule, place: AccessFacts['place']): boolean {
  if (where === null) return true
  if (where === 'nobody' || place === null) return false
  const isIn =
    (place.rangeId !== null && where.ranges.has(place.rangeId)) ||
    (place.rangeKind !== null && where.kinds.has(place.rangeKind))
  return isIn === where.isInside
}

const toMinute = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))

/** A time span that ends before it begins lasts into the next day, and belongs to the day on which it began. */
function isNow({ when }: JudgedRule, at: Date): boolean {
  if (when === null) return true
  const { weekday, minute } = clockIn(when.zone, at)
  const isDay = (day: number) => when.weekdays.length === 0 || when.weekdays.includes(day)
  if (when.from === null || when.to === null) return isDay(weekday)
  const [from, to] = [toMinute(when.from), toMinute(when.to)]
  if (from < to) return isDay(weekday) && minute >= from && minute < to
  if (minute >= from) return isDay(weekday)
  return minute < to && isDay(weekday === 1 ? 7 : weekday - 1)
}

/** The moments, to the minute, at which any of these rules starts or stops applying because of the time. */
export function momentsOf(rules: readonly JudgedRule[], since: Date, until: Date): Date[] {
  const timed = rules.filter(({ when }) => when !== null)
  const holding = (at: Date) => timed.map((rule) => isNow(rule, at)).join()
  const moments: Date[] = []
  let before = timed.length > 0 ? holding(since) : ''
  const first = Math.ceil(since.getTime() / MINUTE_MS) * MINUTE_MS
  for (let at = first; timed.length > 0 && at <= until.getTime(); at += MINUTE_MS) {
    const now = holding(new Date(at))
    if (now !== before) moments.push(new Date(at))
    before = now
  }
  return moments
}

const isEntered = ({ applications }: JudgedRule, appId: string): boolean =>
  applications === null || (applications !== 'nobody' && applications.has(appId))

/** The conditions of a rule that don't hold; none: it applies. */
export function failedDimensions(rule: JudgedRule, facts: AccessFacts): (typeof RULE_DIMENSIONS)[number][] {
  const fulfilled = {
    who: isWhom(rule, facts.person),
    where: isThere(rule, facts.place),
    when: isNow(rule, facts.at),
    applications: isEntered(rule, facts.appId),
  }
  return RULE_DIMENSIONS.filter((dimension) => !fulfilled[dimension])
}

/** Could the rule apply to somebody? Checks everything but the person, before a statement reads them. */
export const mayApply = (rule: JudgedRule, { place, at, appId }: Omit<AccessFacts, 'person'>): boolean =>
  isEntered(rule, appId) && isThere(rule, place) && isNow(rule, at)

const applies = (rule: JudgedRule, facts: AccessFacts): boolean => isWhom(rule, facts.person) && mayApply(rule, facts)

const byStrictness = (a: JudgedRule, b: JudgedRule): number =>
  RULE_OUTCOMES.indexOf(a.outcome) - RULE_OUTCOMES.indexOf(b.outcome) || (a.id < b.id ? -1 : 1)

export type AccessDecision = {
  /** The strictest outcome of the active rules; null: none. */
  outcome: RuleOutcome | null
  /** The rule behind it. */
  decidedBy: JudgedRule | null
  /** Whoever is not rejected must have proved a second factor. */
  asksFactor: boolean
  /** Every rule that applies, the strictest first. */
  said: SaidRule[]
}

/** The outcome of the rules for a login or an entry into an application, whatever their order. */
export function decideAccess(rules: readonly JudgedRule[], facts: AccessFacts): AccessDecision {
  const applying = rules.filter((rule) => rule.mode !== 'off' && applies(rule, facts)).toSorted(byStrictness)
  const decidedBy = applying.find(({ mode }) => mode === 'on') ?? null
  return {
    outcome: decidedBy?.outcome ?? null,
    decidedBy,
    asksFactor: applying.some(({ mode, outcome }) => mode === 'on' && outcome === 'second-factor'),
    said: applying.map(({ id, name, mode, outcome }) => ({ rule: id, name, outcome, mode })),
  }
}

/** Must this person prove a second factor at the portal at any time or place? */
export const mustHaveSecondFactor = (rules: readonly JudgedRule[], person: AccessPerson): boolean =>
  rules.some(
    (rule) =>
      rule.mode === 'on' &&
      rule.outcome === 'second-factor' &&
      isWhom(rule, person) &&
      isEntered(rule, PORTAL_APP_ID) &&
      rule.where !== 'nobody',
  )

/** The message of a rule for the people it rejects; empty: none. */
export const ruleMessage = ({ message, messages }: JudgedRule, language: Language): string =>
  messages[language] ?? message

/** The facts about a person that these rules need. */
export type RuleNeeds = {
  administers: boolean
  category: boolean
  organizations: string[]
  roles: string[]
  place: boolean
}

export function needsOf(rules: readonly JudgedRule[]): RuleNeeds {
  const whos = rules.flatMap(({ who }) => (who === null || who === 'nobody' ? [] : [who]))
  return {
    administers: whos.some(({ administrators }) => administrators),
    category: whos.some(({ categories }) => categories.size > 0),
    organizations: [...new Set(whos.flatMap(({ organizations }) => [...organizations]))],
    roles: [...new Set(whos.flatMap(({ roles }) => [...roles]))],
    place: rules.some(({ where }) => where !== null),
  }
}

/** The union of everybody that rules name, in the form a statement takes. */
export type NamedPeople = {
  everybody: boolean
  administrators: boolean
  categories: string[]
  organizations: string[]
  roles: string[]
}

/** Everybody named by these rules, whatever their other conditions. */
export function peopleNamedIn(rules: readonly JudgedRule[]): NamedPeople {
  const named: NamedPeople = { everybody: false, administrators: false, categories: [], organizations: [], roles: [] }
  for (const { who } of rules) {
    if (who === 'nobody') continue
    if (who === null) return { ...named, everybody: true }
    named.administrators ||= who.administrators
    named.categories.push(...who.categories)
    named.organizations.push(...who.organizations)
    named.roles.push(...who.roles)
  }
  return named
}

/** What the rules say about an unknown person: all that may be applied before the person has proved who they are. */
export const saidBeforeProof = (rules: readonly JudgedRule[], facts: Omit<AccessFacts, 'person'>): SaidRule[] =>
  decideAccess(
    rules.filter(({ outcome }) => outcome === 'captcha'),
    { ...facts, person: null },
  ).said
