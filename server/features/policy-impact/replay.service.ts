import { isDeepStrictEqual } from 'node:util'
import { ACCESS_FIGURES, type AccessFigureKey, IMPACT_DAYS, IMPACT_ROWS } from '#shared/contract/policy-impact.ts'
import { DAY_MS } from '#shared/rules/durations.ts'
import type { Context } from '../../platform/platform.ts'
import {
  type AccessFacts,
  type AccessPlace,
  decideAccess,
  type JudgedRule,
  mayApply,
  needsOf,
  PORTAL_APP_ID,
  saidBeforeProof,
} from '../access/index.ts'
import { type Look, readWithin } from './look-back.service.ts'
import {
  type AppIds,
  listAppIds,
  listLogins,
  listReplayedPeople,
  type ReplayedLogin,
  type ReplayedPerson,
} from './replay.store.ts'

/** The range that an address is in, with its name; null of a new one, and of none. */
export type ReplayedPlace = AccessPlace & { name: string | null }
export type ReplayedPlaces = Record<'before' | 'after', ReplayedPlace>

/** The two sides of a change: what decides now, and what would decide. */
export type AccessChange = Record<'before' | 'after', readonly JudgedRule[]> & {
  placesOf(ip: string): Promise<ReplayedPlaces>
}

type Tally = { count: number; people: Set<string>; latest: Placed[] }
export type Replayed = {
  tallies: ReadonlyMap<AccessFigureKey, Tally>
  appIds: AppIds
  lookedBackTo: Date
  /** Nothing of the last days was left out. */
  isAll: boolean
}

/** A login with where it came from, and what was to be entered. */
type Placed = { login: ReplayedLogin; places: ReplayedPlaces; appId: string }

/** What is to be said within three seconds, with what it takes to ask and to answer. */
const REPLAY_MS = 2300
/** Logins that are judged in one go: everybody else on this node waits for as long. */
const BATCH = 5000

const isOn = ({ mode }: JudgedRule): boolean => mode === 'on'

/**
 * Asks of each login of the last days what the rules would say of it before and after a change, by the function that decides at a
 * login; the newest first, for as long as there is time.
 */
export async function replayLogins(ctx: Context, change: AccessChange): Promise<Replayed> {
  const until = ctx.now()
  const since = new Date(until.getTime() - IMPACT_DAYS * DAY_MS)
  const tallies = new Map(
    ACCESS_FIGURES.map((key): [AccessFigureKey, Tally] => [key, { count: 0, people: new Set(), latest: [] }]),
  )
  const replayed: Replayed = { tallies, appIds: new Map(), lookedBackTo: until, isAll: true }
  const judge = judgeOf(ctx, change)
  const whole = await readWithin(ctx, REPLAY_MS, async (ask) => {
    replayed.appIds = await ask((db) => listAppIds(db, ctx.client.language))
    let from = new Date(until.getTime() + 1)
    while (from > since) {
      const rows = await ask((db) => listLogins(db, { since, from }, BATCH))
      const reached = rows.length < BATCH ? since : wholeMomentsOf(rows, from)
      for (const { placed, keys } of await judge(
        rows.filter(({ at }) => at >= reached),
        replayed.appIds,
        ask,
      ))
        for (const key of keys) note(tallies.get(key), placed)
      from = reached
      replayed.lookedBackTo = reached
    }
  })
  return { ...replayed, isAll: whole !== null }
}

/** Of one moment there may be more than were read: the next turn reads them all. Where there is but one moment, the rest is left out. */
function wholeMomentsOf(rows: readonly ReplayedLogin[], from: Date): Date {
  const last = rows.at(-1)?.at.getTime() ?? 0
  return new Date(last + 1 < from.getTime() ? last + 1 : last)
}

function note(tally: Tally | undefined, placed: Placed): void {
  if (!tally) return
  tally.count += 1
  tally.people.add(placed.login.userId)
  if (tally.latest.length < IMPACT_ROWS) tally.latest.push(placed)
}

const NOBODY_KNOWN: ReplayedPerson = { administers: false, category: null, organizations: [], roles: [], hasApp: false }

/** @returns what judges a batch: the logins of which the change says something, with what it says. */
function judgeOf(ctx: Context, change: AccessChange) {
  const before = change.before.filter(isOn)
  const after = change.after.filter(isOn)
  const isIn = (rules: readonly JudgedRule[], rule: JudgedRule) => rules.some((one) => isDeepStrictEqual(one, rule))
  const changed = [...before.filter((rule) => !isIn(after, rule)), ...after.filter((rule) => !isIn(before, rule))]
  const needs = needsOf([...before, ...after])
  const asksPerson =
    needs.administers ||
    needs.category ||
    needs.organizations.length + needs.roles.length > 0 ||
    changed.some(({ outcome }) => outcome === 'second-factor')
  const people = new Map<string, ReplayedPerson>()
  const places = remembered((ip) => change.placesOf(ip))

  /** Of all others both sides say the same. */
  function isConcerned({ login: { at }, places: { before: was, after: is }, appId }: Placed): boolean {
    return isElsewhere(was, is) || changed.some((rule) => mayApply(rule, { place: is, at, appId }))
  }

  async function findPeople(logins: readonly Placed[], ask: Look['ask']): Promise<void> {
    const unknown = [...new Set(logins.map(({ login }) => login.userId))].filter((id) => !people.has(id))
    if (!asksPerson || unknown.length === 0) return
    for (const [id, person] of await ask((db) => listReplayedPeople(db, unknown, { needs, now: ctx.now() })))
      people.set(id, person)
  }

  function verdictsOn({ login, places: at, appId }: Placed, person: ReplayedPerson) {
    const facts = (place: AccessPlace): AccessFacts => ({ person, place, at: login.at, appId })
    const keys = differences(verdictOf(before, facts(at.before), login), verdictOf(after, facts(at.after), login))
    if (isElsewhere(at.before, at.after)) keys.push('logins-place')
    return person.hasApp ? keys.filter((key) => !FACTOR_FIGURES.includes(key)) : keys
  }

  return async (logins: readonly ReplayedLogin[], appIds: AppIds, ask: Look['ask']) => {
    const placed: Placed[] = []
    for (const login of logins) {
      const appId = login.applicationId === null ? PORTAL_APP_ID : (appIds.get(login.applicationId)?.appId ?? '')
      const one = { login, places: await places(login.ip), appId }
      if (isConcerned(one)) placed.push(one)
    }
    await findPeople(placed, ask)
    return placed.flatMap((one) => {
      const person = asksPerson ? people.get(one.login.userId) : NOBODY_KNOWN
      // Deleted since: nobody will log in as they.
      return person ? [{ placed: one, keys: verdictsOn(one, person) }] : []
    })
  }
}

/** Many come from the same address. */
function remembered<T>(find: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const known = new Map<string, T>()
  return async (key) => {
    const before = known.get(key)
    if (before !== undefined) return before
    const found = await find(key)
    known.set(key, found)
    return found
  }
}

const isElsewhere = (was: AccessPlace, is: AccessPlace): boolean =>
  was.rangeId !== is.rangeId || was.rangeKind !== is.rangeKind

const FACTOR_FIGURES: readonly AccessFigureKey[] = ['logins-factor', 'logins-factor-spared']

type Verdict = { isRefused: boolean; asksFactor: boolean; asksCaptcha: boolean; notices: readonly string[] }

/** Ways to log in that a captcha may be asked before. */
const CAPTCHA_TYPES = ['user', 'captcha']

function verdictOf(rules: readonly JudgedRule[], facts: AccessFacts, { authType }: ReplayedLogin): Verdict {
  const { outcome, asksFactor, said } = decideAccess(rules, facts)
  return {
    isRefused: outcome === 'refuse',
    asksFactor,
    asksCaptcha: CAPTCHA_TYPES.includes(authType) && saidBeforeProof(rules, facts).length > 0,
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
