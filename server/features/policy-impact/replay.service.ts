import { isDeepStrictEqual } from 'node:util'
import { type AccessFigureKey, IMPACT_DAYS } from '#shared/contract/policy-impact.ts'
import { DAY_MS, HOUR_MS } from '#shared/rules/durations.ts'
import type { Context } from '../../platform/platform.ts'
import { readWithin } from '../../platform/read-within.ts'
import {
  type AccessFacts,
  type AccessPerson,
  type AccessPlace,
  decideAccess,
  type JudgedRule,
  mayApply,
  momentsOf,
  needsOf,
  PORTAL_APP_ID,
  peopleKeys,
  peopleNamedIn,
  type RuleNeeds,
  saidBeforeProof,
} from '../access/index.ts'
import { type Look, nextSpan } from './look-back.service.ts'
import type { ReplayedPlace, ReplayedPlaces } from './places.types.ts'
import {
  type AppIds,
  countRecords,
  type Distinctions,
  findLongestPrefix,
  firstUserOf,
  type LoginGroup,
  listAppIds,
  listFacts,
  listLoginGroups,
  preferLookUps,
  useMemory,
} from './replay.store.ts'
import { countLogins, emptyTallies, type Judge, keepLatest, type Tallies } from './tallies.service.ts'

/** The two sides of a change: the current rules, and the proposed ones. */
export type AccessChange = Record<'before' | 'after', readonly JudgedRule[]> & {
  placesOf(ip: string): ReplayedPlaces
  /** For IPv4: prefix lengths of the networks whose place changes; absent: places stay the same. */
  prefixes?: readonly number[]
}

export type Replayed = {
  tallies: Tallies
  appIds: AppIds
  lookedBackTo: Date
  /** The whole period was evaluated. */
  isAll: boolean
}

/** Leaves time for the request and the answer within three seconds. */
const REPLAY_MS = 2300
/** Up to this many are read at once, if that takes no longer; else as many as are reached in steps. */
const MAX_AT_ONCE = 600_000
const AT_ONCE_MS = 1900
const FIRST_STEP = HOUR_MS

const isOn = ({ mode }: JudgedRule): boolean => mode === 'on'

/**
 * Evaluates the rules before and after a change for each login of the last days, by the function that decides at a login; all at once if
 * there is time, else newest first, as long as there is time. Logins that are equivalent for the rules are evaluated once.
 */
export async function replayLogins(ctx: Context, change: AccessChange): Promise<Replayed> {
  const now = ctx.now()
  const since = new Date(now.getTime() - IMPACT_DAYS * DAY_MS)
  const tallies = emptyTallies()
  const replayed: Replayed = { tallies, appIds: new Map(), lookedBackTo: now, isAll: true }
  const end = new Date(now.getTime() + 1)
  const deadline = performance.now() + REPLAY_MS
  const msToDeadline = () => deadline - performance.now()
  const countFor = async (ask: Look['ask']) => {
    replayed.appIds = await ask((db) => listAppIds(db, ctx.client.language))
    const { read, judge } = await judgeOf(ctx, change, { since, appIds: replayed.appIds, ask })
    return async (span: { since: Date; until: Date }) => {
      const isWhole = await countLogins(tallies, await read(span), judge, msToDeadline)
      for (const tally of tallies.values()) keepLatest(tally)
      replayed.lookedBackTo = span.since
      return isWhole
    }
  }
  const atOnce = await readWithin(ctx, AT_ONCE_MS, async (ask) => {
    await ask(useMemory)
    if ((await ask((db) => countRecords(db, since, MAX_AT_ONCE))) === MAX_AT_ONCE) return null
    return await (await countFor(ask))({ since, until: end })
  })
  if (atOnce && atOnce.value !== null) return { ...replayed, isAll: atOnce.value }
  const inSteps = await readWithin(ctx, msToDeadline(), async (ask, msLeft) => {
    await ask(preferLookUps)
    const count = await countFor(ask)
    let until = end
    let span = FIRST_STEP
    while (until > since) {
      const from = new Date(Math.max(since.getTime(), until.getTime() - span))
      const began = msLeft()
      if (!(await count({ since: from, until }))) return false
      span = nextSpan(span, began - msLeft(), msLeft())
      until = from
    }
    return true
  })
  return { ...replayed, isAll: inSteps?.value ?? false }
}

const NOBODY_KNOWN: AccessPerson = { administers: false, category: null, organizations: [], roles: [] }
const NOWHERE: ReplayedPlace = { rangeId: null, rangeKind: null, name: null }

type Sides = Record<'before' | 'after' | 'changed', readonly JudgedRule[]>

/** For each side the active rules, and those only on one side. */
function sidesOf(change: AccessChange): Sides {
  const before = change.before.filter(isOn)
  const after = change.after.filter(isOn)
  const isIn = (rules: readonly JudgedRule[], rule: JudgedRule) => rules.some((one) => isDeepStrictEqual(one, rule))
  const changed = [...before.filter((rule) => !isIn(after, rule)), ...after.filter((rule) => !isIn(before, rule))]
  return { before, after, changed }
}

type Scope = { since: Date; appIds: AppIds; ask: Look['ask'] }

/** What distinguishes logins for these rules. */
async function distinctionsOf(
  ctx: Context,
  { before, after, changed }: Sides,
  { prefixes = [], since, appIds, ask }: Scope & Pick<AccessChange, 'prefixes'>,
): Promise<Distinctions> {
  const all = [...before, ...after]
  const needs = needsOf(all)
  const asksPerson =
    needs.administers ||
    needs.category ||
    needs.organizations.length + needs.roles.length > 0 ||
    changed.some(({ outcome }) => outcome === 'second-factor')
  const applications = new Set(
    all.flatMap(({ applications }) => (applications && applications !== 'nobody' ? [...applications] : [])),
  )
  const named = peopleNamedIn(changed)
  return {
    needs,
    asksPerson,
    // For everybody else both sides give the same result.
    named: asksPerson && !named.everybody && prefixes.length === 0 ? named : null,
    applications: [...appIds].flatMap(([id, { appId }]) => (applications.has(appId) ? [id] : [])),
    moments: momentsOf(all, since, ctx.now()),
    prefix: needs.place || prefixes.length > 0 ? Math.max(...prefixes, await ask((db) => findLongestPrefix(db))) : null,
    captchaTypes: CAPTCHA_TYPES,
  }
}

/** @returns `read`: the logins of a period; `judge`: how the change affects those of a group */
async function judgeOf(
  ctx: Context,
  change: AccessChange,
  scope: Scope,
): Promise<{ read: (span: { since: Date; until: Date }) => Promise<readonly LoginGroup[]>; judge: Judge }> {
  const { since, appIds, ask } = scope
  const sides = sidesOf(change)
  const { before, after, changed } = sides
  const distinctions = await distinctionsOf(ctx, sides, {
    ...scope,
    ...(change.prefixes && { prefixes: change.prefixes }),
  })
  const { moments, needs } = distinctions
  const { findPeople, kindOf, personOf } = await peopleOf(ctx, needs, ask)

  function situationOf({ address, moment, application }: LoginGroup) {
    const places = address === null ? { before: NOWHERE, after: NOWHERE } : change.placesOf(address)
    const at = moments[moment - 1] ?? since
    const appId = application === '' ? PORTAL_APP_ID : (appIds.get(application ?? '')?.appId ?? '')
    return { places, at, appId, isMoved: isElsewhere(places.before, places.after) }
  }

  // Many addresses are in one place.
  const changedFigures = new Map<string, readonly AccessFigureKey[]>()
  function keysOf(group: LoginGroup, situation: ReturnType<typeof situationOf>) {
    const { hasApp, hasCaptcha, moment } = group
    const { places, appId } = situation
    const ranges = [places.before, places.after].map(({ rangeId, rangeKind }) => `${rangeId} ${rangeKind}`)
    const key = [kindOf(group), hasApp, hasCaptcha, moment, appId, ...ranges].join()
    const known = changedFigures.get(key)
    if (known) return known
    const keys = judgedKeys(group, situation)
    changedFigures.set(key, keys)
    return keys
  }

  function judgedKeys(group: LoginGroup, { places, at, appId, isMoved }: ReturnType<typeof situationOf>) {
    const person = personOf(group)
    const verdictOf = (rules: readonly JudgedRule[], place: AccessPlace) =>
      toVerdict(rules, { person, place, at, appId }, group.hasCaptcha)
    const changedFigures = differences(verdictOf(before, places.before), verdictOf(after, places.after))
    if (isMoved) changedFigures.push('logins-place')
    return group.hasApp ? changedFigures.filter((key) => !FACTOR_FIGURES.includes(key)) : changedFigures
  }

  return {
    async read(span) {
      const groups = await ask((db) => listLoginGroups(db, span, distinctions))
      await findPeople(groups)
      return groups
    },
    judge(group) {
      const situation = situationOf(group)
      const { places, at, appId, isMoved } = situation
      if (!isMoved && !changed.some((rule) => mayApply(rule, { place: places.after, at, appId }))) return null
      const keys = keysOf(group, situation)
      return keys.length > 0 ? { keys, places } : null
    },
  }
}

/** The facts of the groups' people: one of each group of equivalent people is read. */
async function peopleOf(ctx: Context, needs: RuleNeeds, ask: Look['ask']) {
  const people = new Map<string, AccessPerson>()
  const hasKinds = needs.organizations.length + needs.roles.length > 0
  const toKind = hasKinds ? await ask((db) => peopleKeys(db, needs)) : (key: string) => key
  const kindOf = ({ person }: LoginGroup) => (person === null ? null : toKind(person))
  const findPeople = async (groups: readonly LoginGroup[]): Promise<void> => {
    const firsts = new Map<string, string>()
    for (const group of groups) {
      const kind = kindOf(group)
      if (kind !== null && !people.has(kind)) firsts.set(kind, firstUserOf(group))
    }
    if (firsts.size === 0) return
    const facts = await ask((db) => listFacts(db, [...new Set(firsts.values())], { needs, now: ctx.now() }))
    for (const [kind, id] of firsts) people.set(kind, facts.get(id) ?? NOBODY_KNOWN)
  }
  return { findPeople, kindOf, personOf: (group: LoginGroup) => people.get(kindOf(group) ?? '') ?? NOBODY_KNOWN }
}

const isElsewhere = (was: AccessPlace, is: AccessPlace): boolean =>
  was.rangeId !== is.rangeId || was.rangeKind !== is.rangeKind

const FACTOR_FIGURES: readonly AccessFigureKey[] = ['logins-factor', 'logins-factor-spared']

type Verdict = { isRefused: boolean; asksFactor: boolean; asksCaptcha: boolean; notices: readonly string[] }

/** Login methods that may be preceded by a captcha. */
const CAPTCHA_TYPES = ['user', 'captcha']

function toVerdict(rules: readonly JudgedRule[], facts: AccessFacts, hasCaptcha: boolean): Verdict {
  const { outcome, asksFactor, said } = decideAccess(rules, facts)
  return {
    isRefused: outcome === 'refuse',
    asksFactor,
    asksCaptcha: hasCaptcha && saidBeforeProof(rules, facts).length > 0,
    notices: said.filter((one) => one.outcome === 'notify').map(({ rule }) => rule),
  }
}

function differences(was: Verdict, is: Verdict): AccessFigureKey[] {
  const keys: AccessFigureKey[] = []
  if (was.asksCaptcha !== is.asksCaptcha) keys.push(is.asksCaptcha ? 'logins-captcha' : 'logins-captcha-spared')
  if (was.isRefused !== is.isRefused) keys.push(is.isRefused ? 'logins-refused' : 'logins-let-in')
  if (was.isRefused || is.isRefused) return keys
  if (was.asksFactor !== is.asksFactor) keys.push(is.asksFactor ? 'logins-factor' : 'logins-factor-spared')
  if (is.notices.some((rule) => !was.notices.includes(rule))) keys.push('logins-notified')
  return keys
}
