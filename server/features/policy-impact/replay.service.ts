import { isDeepStrictEqual } from 'node:util'
import { ACCESS_FIGURES, type AccessFigureKey, IMPACT_DAYS, IMPACT_ROWS } from '#shared/contract/policy-impact.ts'
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
  type RuleNeeds,
  saidBeforeProof,
} from '../access/index.ts'
import { type Look, nextSpan } from './look-back.service.ts'
import {
  type AppIds,
  type Distinctions,
  findLongestPrefix,
  firstUserOf,
  type LoginGroup,
  listAppIds,
  listFacts,
  listLoginGroups,
  preferLookUps,
  type ReplayedLogin,
  toLogins,
} from './replay.store.ts'

/** The range that an address is in, with its name; null of a new one, and of none. */
export type ReplayedPlace = AccessPlace & { name: string | null }
export type ReplayedPlaces = Record<'before' | 'after', ReplayedPlace>

/** The two sides of a change: what decides now, and what would decide. */
export type AccessChange = Record<'before' | 'after', readonly JudgedRule[]> & {
  placesOf(ip: string): ReplayedPlaces
  /** Of IPv4: how long the networks are whose places it changes; absent: places stay as they are. */
  prefixes?: readonly number[]
}

type Placed = { login: ReplayedLogin; places: ReplayedPlaces }
type Tally = { count: number; people: Set<string>; latest: Placed[] }
export type Replayed = {
  tallies: ReadonlyMap<AccessFigureKey, Tally>
  appIds: AppIds
  lookedBackTo: Date
  /** Nothing of the last days was left out. */
  isAll: boolean
}

/** What is to be said within three seconds, with what it takes to ask and to answer. */
const REPLAY_MS = 2300
const FIRST_STEP = HOUR_MS

const isOn = ({ mode }: JudgedRule): boolean => mode === 'on'

/**
 * Asks of each login of the last days what the rules would say of it before and after a change, by the function that decides at a
 * login; the newest first, for as long as there is time. Logins of which the rules are told the same are judged once.
 */
export async function replayLogins(ctx: Context, change: AccessChange): Promise<Replayed> {
  const now = ctx.now()
  const since = new Date(now.getTime() - IMPACT_DAYS * DAY_MS)
  const tallies = new Map(
    ACCESS_FIGURES.map((key): [AccessFigureKey, Tally] => [key, { count: 0, people: new Set(), latest: [] }]),
  )
  const replayed: Replayed = { tallies, appIds: new Map(), lookedBackTo: now, isAll: true }
  const whole = await readWithin(ctx, REPLAY_MS, async (ask, msLeft) => {
    await ask(preferLookUps)
    replayed.appIds = await ask((db) => listAppIds(db, ctx.client.language))
    const judge = await judgeOf(ctx, change, { since, appIds: replayed.appIds, ask })
    let until = new Date(now.getTime() + 1)
    let span = FIRST_STEP
    while (until > since) {
      const from = new Date(Math.max(since.getTime(), until.getTime() - span))
      const began = msLeft()
      for (const { keys, logins } of await judge({ since: from, until })) {
        for (const key of keys) note(tallies.get(key), logins)
      }
      for (const { latest } of tallies.values()) keepLatest(latest)
      span = nextSpan(span, began - msLeft(), msLeft())
      until = from
      replayed.lookedBackTo = from
    }
  })
  return { ...replayed, isAll: whole !== null }
}

function note(tally: Tally | undefined, logins: readonly Placed[]): void {
  if (!tally) return
  tally.count += logins.length
  for (const placed of logins) {
    tally.people.add(placed.login.userId)
    tally.latest.push(placed)
  }
}

function keepLatest(latest: Placed[]): void {
  latest.sort((a, b) => b.login.at.getTime() - a.login.at.getTime())
  latest.length = Math.min(latest.length, IMPACT_ROWS)
}

const NOBODY_KNOWN: AccessPerson = { administers: false, category: null, organizations: [], roles: [] }
const NOWHERE: ReplayedPlace = { rangeId: null, rangeKind: null, name: null }

type Judged = { keys: readonly AccessFigureKey[]; logins: Placed[] }

/** @returns what judges a span: the logins of which the change says something, with what it says. */
async function judgeOf(
  ctx: Context,
  change: AccessChange,
  { since, appIds, ask }: { since: Date; appIds: AppIds; ask: Look['ask'] },
): Promise<(span: { since: Date; until: Date }) => Promise<Judged[]>> {
  const before = change.before.filter(isOn)
  const after = change.after.filter(isOn)
  const isIn = (rules: readonly JudgedRule[], rule: JudgedRule) => rules.some((one) => isDeepStrictEqual(one, rule))
  const changed = [...before.filter((rule) => !isIn(after, rule)), ...after.filter((rule) => !isIn(before, rule))]
  const all = [...before, ...after]
  const needs = needsOf(all)
  const asksPerson =
    needs.administers ||
    needs.category ||
    needs.organizations.length + needs.roles.length > 0 ||
    changed.some(({ outcome }) => outcome === 'second-factor')
  const prefixes = change.prefixes ?? []
  const moments = momentsOf(all, since, ctx.now())
  const named = new Set(
    all.flatMap(({ applications }) => (applications && applications !== 'nobody' ? [...applications] : [])),
  )
  const distinctions: Distinctions = {
    needs: asksPerson ? needs : null,
    applications: [...appIds].flatMap(([id, { appId }]) => (named.has(appId) ? [id] : [])),
    moments,
    prefix: needs.place || prefixes.length > 0 ? Math.max(...prefixes, await ask((db) => findLongestPrefix(db))) : null,
    captchaTypes: CAPTCHA_TYPES,
  }
  const { findPeople, personOf } = await peopleOf(ctx, needs, ask)

  function situationOf({ address, moment, application }: LoginGroup) {
    const places = address === null ? { before: NOWHERE, after: NOWHERE } : change.placesOf(address)
    const at = moments[moment - 1] ?? since
    const appId = application === '' ? PORTAL_APP_ID : (appIds.get(application ?? '')?.appId ?? '')
    return { places, at, appId, isMoved: isElsewhere(places.before, places.after) }
  }

  function keysOf(group: LoginGroup, { places, at, appId, isMoved }: ReturnType<typeof situationOf>) {
    const person = personOf(group)
    const verdictOf = (rules: readonly JudgedRule[], place: AccessPlace) =>
      toVerdict(rules, { person, place, at, appId }, group.hasCaptcha)
    const told = differences(verdictOf(before, places.before), verdictOf(after, places.after))
    if (isMoved) told.push('logins-place')
    return group.hasApp ? told.filter((key) => !FACTOR_FIGURES.includes(key)) : told
  }

  /** @returns nothing where both sides say the same. */
  function judge(group: LoginGroup): Judged[] {
    const situation = situationOf(group)
    const { places, at, appId, isMoved } = situation
    if (!isMoved && !changed.some((rule) => mayApply(rule, { place: places.after, at, appId }))) return []
    const keys = keysOf(group, situation)
    return keys.length > 0 ? [{ keys, logins: toLogins(group).map((login) => ({ login, places })) }] : []
  }

  return async (span) => {
    const groups = await ask((db) => listLoginGroups(db, span, distinctions))
    await findPeople(groups)
    return groups.flatMap(judge)
  }
}

/** Who the people of groups are: of each kind of people alike one is looked into. */
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
  return { findPeople, personOf: (group: LoginGroup) => people.get(kindOf(group) ?? '') ?? NOBODY_KNOWN }
}

const isElsewhere = (was: AccessPlace, is: AccessPlace): boolean =>
  was.rangeId !== is.rangeId || was.rangeKind !== is.rangeKind

const FACTOR_FIGURES: readonly AccessFigureKey[] = ['logins-factor', 'logins-factor-spared']

type Verdict = { isRefused: boolean; asksFactor: boolean; asksCaptcha: boolean; notices: readonly string[] }

/** Ways to log in that a captcha may be asked before. */
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
