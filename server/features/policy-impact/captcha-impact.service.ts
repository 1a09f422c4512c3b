import { IMPACT_ROWS } from '#shared/contract/policy-impact.ts'
import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import { canonicalLoginName } from '#shared/rules/login-name.ts'
import { addressGroup, type LoginEvent, replayCaptchas } from '../attempts/index.ts'
import { type Found, NOTHING, PASSWORD, toRow } from './impact-figures.rules.ts'
import type { Look } from './look-back.service.ts'
import {
  countLogins,
  latestLogins,
  listGuesses,
  listPeople,
  listSuccesses,
  type RecordedLogin,
} from './policy-impact.store.ts'

/** Passwords, and codes: those count for their address. */
const LOGIN_TYPES = [PASSWORD, 'captcha']
const MAX_EVENTS = 100_000

type Policies = { before: SignInPolicy; after: SignInPolicy }

/**
 * Logins by password that are asked for a captcha by the new rules and not by those of today, as the failures before them tell: each of
 * their records goes through the replay of the decision, once for either. A name that was nobody’s is masked in its record: two that look
 * alike count as one, so an address may have failed with more.
 */
export async function loginsAskedCaptcha(look: Look, policies: Policies): Promise<Found> {
  const { before, after } = policies
  if (!after.captchaOn.includes('login')) return NOTHING
  const asksEverybody = ({ captchaOn, captchaAfterFailures }: SignInPolicy) =>
    captchaOn.includes('login') && captchaAfterFailures === 0
  if (asksEverybody(before)) return NOTHING
  const { events, isCapped } = await listEvents(look, policies)
  const [was, is] = [replayCaptchas(before), replayCaptchas(after)]
  const judged = events.flatMap(({ login, event }) => {
    // Each plays all of them.
    const [then, now] = [was(event), is(event)]
    return login.failed || login.authType !== PASSWORD ? [] : [{ login, then, now }]
  })
  if (asksEverybody(after))
    return await withoutAsked(
      look,
      judged.filter(({ then }) => then),
      isCapped,
    )
  const found = judged.flatMap(({ login, then, now }) => (now && !then ? [login] : []))
  return {
    count: found.length,
    people: new Set(found.map(({ userId }) => userId)).size,
    rows: await toRows(look, found.slice(-IMPACT_ROWS).toReversed()),
    isCapped,
  }
}

/** Only logins that failures came before can be asked for one, unless everybody is. */
async function listEvents({ since, until, ask }: Look, { before, after }: Policies) {
  const span = { since, until }
  const guesses = await ask((db) => listGuesses(db, span, { types: LOGIN_TYPES, limit: MAX_EVENTS }))
  const least = Math.min(before.addressFailures, after.addressFailures)
  const byAddress = Map.groupBy(guesses, ({ ip }) => addressGroup(ip))
  const ips = [...byAddress.values()].flatMap((of) => (of.length >= least ? of.map(({ ip }) => ip) : []))
  const userIds = guesses.flatMap(({ userId }) => userId ?? [])
  const query = { types: LOGIN_TYPES, userIds: [...new Set(userIds)], ips: [...new Set(ips)], limit: MAX_EVENTS }
  const successes = guesses.length > 0 ? await ask((db) => listSuccesses(db, span, query)) : []
  const events = [...guesses, ...successes]
    .toSorted((one, other) => one.at.getTime() - other.at.getTime() || (one.id < other.id ? -1 : 1))
    .map((login) => ({ login, event: toEvent(login) }))
  return { events, isCapped: guesses.length === MAX_EVENTS || successes.length === MAX_EVENTS }
}

const toEvent = ({ at, userId, typed, ip, authType, failed }: RecordedLogin): LoginEvent => ({
  at,
  userId,
  name: canonicalLoginName(typed),
  address: addressGroup(ip),
  failed,
  byPassword: authType === PASSWORD,
})

/** Everybody is asked: all but those who are today. */
async function withoutAsked(
  look: Look,
  already: readonly { login: RecordedLogin }[],
  isCapped: boolean,
): Promise<Found> {
  const { since, until, ask } = look
  const total = await ask((db) => countLogins(db, { since, until }, [PASSWORD]))
  const limit = IMPACT_ROWS
  const rows = await ask((db) => latestLogins(db, { since, until }, { types: [PASSWORD], limit }))
  const keys = new Set(already.map(({ login: { userId, at } }) => `${userId} ${at.getTime()}`))
  const others = rows.filter(({ userId, at }) => !keys.has(`${userId} ${at.getTime()}`))
  return { count: total.count - already.length, people: total.people, rows: others.map(toRow), isCapped }
}

async function toRows({ ask }: Look, logins: readonly RecordedLogin[]) {
  const ids = logins.flatMap(({ userId }) => userId ?? [])
  const people = new Map((await ask((db) => listPeople(db, ids))).map((person) => [person.id, person]))
  return logins.flatMap(({ userId, at, typed, ip }) => {
    const person = people.get(userId ?? '')
    return person ? [toRow({ ...person, userId: person.id, at, typed, ip })] : []
  })
}
