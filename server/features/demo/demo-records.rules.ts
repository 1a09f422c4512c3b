import { v4, v7 } from 'uuid'
import { DAY_MS, HOUR_MS } from '#shared/rules/durations.ts'
import type { PastLogin, PastVisit } from '../records/index.ts'
import { createRandomSource, type RandomSource } from './demo-random.rules.ts'

export type DemoUser = { id: string; account: string }

const DAYS = 14
/** The demo school is in China. */
const ZONE_MS = 8 * HOUR_MS

/** Logins per hour of the day, adding up to about 100: lessons at 8, 10, 14 and 16, an evening in the library. */
const RHYTHM = [1, 1, 0, 0, 0, 1, 2, 7, 13, 10, 8, 4, 3, 5, 10, 8, 6, 4, 3, 5, 6, 5, 4, 2]
const HOURS = RHYTHM.flatMap((parts, hour) => Array.from({ length: parts }, () => hour))

const LOGINS_ON_A_WEEKDAY = 420
const LOGINS_AT_A_WEEKEND = 170

type Client = Pick<PastLogin, 'userAgent' | 'browser' | 'device' | 'clientType'>

const client = (clientType: string, device: string, browser: string, userAgent: string): Client => ({
  clientType,
  device,
  browser,
  userAgent: `Mozilla/5.0 ${userAgent}`,
})

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const CLIENTS: readonly Client[] = [
  client('pc', 'Windows 10', 'Chrome 142', `(Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36`),
  client('pc', 'Windows 10', 'Chrome 142', `(Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36`),
  client(
    'pc',
    'Windows 10',
    'Microsoft Edge 142',
    `(Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`,
  ),
  client(
    'pc',
    'macOS Catalina',
    'Safari 26',
    '(Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
  ),
  client('pc', 'Linux', 'Firefox 145', '(X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'),
  client(
    'mobile',
    'iPhone',
    'Safari 26',
    '(iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
  ),
  client(
    'mobile',
    'Android 10',
    'Chrome 142',
    `(Linux; Android 10; K) ${WEBKIT} Chrome/142.0.0.0 Mobile Safari/537.36`,
  ),
  client(
    'tablet',
    'iPad',
    'Safari 26',
    '(iPad; CPU OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
  ),
]

/** On campus its own network, elsewhere addresses reserved for examples. */
function addressOf(chance: RandomSource): { ip: string; onCampus: boolean } {
  const onCampus = chance.isTrue(74)
  if (onCampus) return { onCampus, ip: `10.20.${chance.int(64)}.${1 + chance.int(250)}` }
  return { onCampus, ip: `${chance.pick(['203.0.113', '198.51.100', '192.0.2'])}.${1 + chance.int(250)}` }
}

/**
 * Two weeks of logins and visits up to `now`, about 4,900 and 7,200.
 * @param people who log in
 * @param applicationsOf the applications that a person may open
 */
export function demoRecords(
  now: Date,
  people: readonly DemoUser[],
  applicationsOf: (user: DemoUser) => readonly string[],
): { logins: PastLogin[]; visits: PastVisit[] } {
  const chance = createRandomSource(14)
  const end = now.getTime()
  const logins = loginTimes(end, chance).map((at) => loginOf(at, end, chance.pick(people), chance))
  return { logins, visits: logins.flatMap((login) => visitsOf(login, end, applicationsOf, chance)) }
}

/** Login times of a person during the two weeks before `end`, following the school's day. */
function loginTimes(end: number, chance: RandomSource): number[] {
  const today = Math.floor((end + ZONE_MS) / DAY_MS) * DAY_MS - ZONE_MS
  const times: number[] = []
  for (let day = DAYS; day >= 0; day -= 1) {
    const midnight = today - day * DAY_MS
    const isWeekend = [0, 6].includes(new Date(midnight + ZONE_MS).getUTCDay())
    const count = isWeekend ? LOGINS_AT_A_WEEKEND : LOGINS_ON_A_WEEKDAY
    for (let n = 0; n < count; n += 1) times.push(midnight + chance.pick(HOURS) * HOUR_MS + chance.int(HOUR_MS))
  }
  return times.filter((at) => at < end && at >= end - DAYS * DAY_MS)
}

function loginOf(at: number, end: number, user: DemoUser, chance: RandomSource): PastLogin {
  const succeeded = !chance.isTrue(5)
  const leaves = succeeded && chance.isTrue(55)
  const left = at + (5 + chance.int(110)) * 60_000
  return {
    id: v7({ msecs: at }),
    at: new Date(at).toISOString(),
    userId: user.id,
    account: user.account,
    succeeded,
    reason: succeeded ? null : 'password.wrong',
    ...addressOf(chance),
    ...chance.pick(CLIENTS),
    ssoSessionId: succeeded ? v4() : null,
    logoutAt: leaves && left < end ? new Date(left).toISOString() : null,
  }
}

function visitsOf(
  login: PastLogin,
  end: number,
  applicationsOf: (user: DemoUser) => readonly string[],
  chance: RandomSource,
): PastVisit[] {
  const { userId, ssoSessionId, ip, clientType, onCampus } = login
  if (!userId || !ssoSessionId) return []
  const applications = applicationsOf({ id: userId, account: login.account })
  const loggedInAt = new Date(login.at).getTime()
  const times = Array.from({ length: chance.int(4) }, (_, n) => loggedInAt + 20_000 + n * 240_000 + chance.int(200_000))
  return times
    .filter((at) => at < end && applications.length > 0)
    .map((at, n) => ({
      id: v7({ msecs: at }),
      at: new Date(at).toISOString(),
      userId,
      // The first ones of the list are the most popular.
      applicationId: applications[Math.min(chance.int(applications.length), chance.int(applications.length))] ?? '',
      entry: n === 0 && chance.isTrue(30) ? 'sign-on' : 'portal',
      ip,
      clientType,
      onCampus,
      ssoSessionId,
    }))
}
