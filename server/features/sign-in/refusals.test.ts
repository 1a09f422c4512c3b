import { expect, test } from 'vitest'
import { createBrowser } from '../../testing/browser.ts'
import { addPerson, logIn, PASSWORD } from '../../testing/people.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { attempt, attemptWithCaptcha, BEHIND_PROXY, setPolicy, solvedCaptcha } from '../../testing/sign-in.ts'

const NO_CAPTCHA = { captchaAfterFailures: 1000, addressFailures: 100_000 }
const MINUTE = 60

/** A server whose failures lock without captchas in between, with a user `lilei`. */
async function strictServer(options?: Parameters<typeof testServer>[0]): Promise<TestServer> {
  const server = await testServer(options)
  await setPolicy(server, NO_CAPTCHA)
  await addPerson(server, { account: 'lilei' })
  return server
}

async function fail(server: TestServer, username: string, times: number, from?: string) {
  for (let i = 0; i < times; i += 1) await attempt(server, username, 'wrong', from ? { from } : {})
}

const STATES = {
  normal: {},
  'locked-by-administrator': { locked_at: new Date(0) },
  frozen: { frozen_from: new Date(0) },
  dormant: { dormant_since: new Date(0) },
  inactive: { activated: false },
  disabled: { enabled: false },
  'must-change': { must_change_password: true },
  deleted: { deleted_at: new Date(0) },
}

test('a wrong password gets one and the same answer, whatever the state of the account', async () => {
  const server = await strictServer()
  for (const [account, facts] of Object.entries(STATES)) {
    const id = await addPerson(server, { account })
    if (Object.keys(facts).length > 0)
      await server.platform.sql`update users set ${server.platform.sql(facts)} where id = ${id}`
  }
  await addPerson(server, { account: 'without-password', password: undefined })
  await addPerson(server, { account: 'locked-by-failures' })
  await fail(server, 'locked-by-failures', 5)
  const told = new Map<string, string[]>()
  const accounts = [...Object.keys(STATES), 'without-password', 'locked-by-failures', 'nobody-at-all']
  for (const account of accounts) {
    const { answer } = await attempt(server, account, 'wrong')
    const body = answer.text.replace(/"requestId":"\w{20}"/, '')
    const headers = [...answer.headers].filter(([name]) => !['date', 'x-request-id'].includes(name))
    const seen = JSON.stringify([answer.status, body, headers])
    told.set(seen, [...(told.get(seen) ?? []), account])
  }
  expect([...told.values()]).toHaveLength(1)
})

test.each([
  ['locked-by-administrator', 'sign-in.locked'],
  ['frozen', 'sign-in.frozen'],
  ['inactive', 'sign-in.inactive'],
  ['disabled', 'sign-in.disabled'],
] as const)('after a right password a person is told that the account is %s', async (state, code) => {
  const server = await strictServer()
  await server.platform.sql`update users set ${server.platform.sql(STATES[state])} where account = 'lilei'`
  const browser = createBrowser(server)
  expect(await attempt(server, 'lilei', PASSWORD, { browser })).toMatchObject({ status: 403, code })
  expect(browser.cookie('CASTGC')).toBeUndefined()
  expect(await server.platform.sql`select 1 from sso_sessions`).toHaveLength(0)
  expect(await server.platform.sql`select reason from login_records`).toMatchObject([
    { reason: expect.stringMatching(/^account\./) },
  ])
})

test('five failures lock a person for fifteen minutes, then the account is free again', async () => {
  const server = await strictServer()
  await fail(server, 'lilei', 5)
  const refused = await attempt(server, 'lilei')
  expect(refused).toMatchObject({ status: 401, code: 'sign-in.refused' })
  expect(refused.message).toBe((await attempt(server, 'somebody-else', 'wrong')).message)
  expect(refused.message).toContain('15 min')
  server.advance(15 * MINUTE - 5)
  expect(await attempt(server, 'lilei')).toMatchObject({ status: 401 })
  server.advance(6)
  expect(await attempt(server, 'lilei')).toMatchObject({ status: 200 })
})

test('five failures lock an unknown name as well', async () => {
  const server = await strictServer()
  await fail(server, 'nobody-at-all', 6)
  server.advance(15 * MINUTE + 1)
  await fail(server, 'nobody-at-all', 1)
  const records = await server.platform.sql`select reason from login_records order by at, id`
  const unknown = 'name.unknown'
  expect(records.map(({ reason }) => reason)).toEqual([...Array(5).fill(unknown), 'attempts.locked', unknown])
})

test('four failures do not lock, a success resets the count, and old failures expire one by one', async () => {
  const server = await strictServer()
  await fail(server, 'lilei', 4)
  expect(await attempt(server, 'lilei')).toMatchObject({ status: 200 })
  await fail(server, 'lilei', 2)
  server.advance(10 * MINUTE)
  await fail(server, 'lilei', 2)
  server.advance(6 * MINUTE)
  await fail(server, 'lilei', 2)
  expect(await attempt(server, 'lilei')).toMatchObject({ status: 200 })
})

test('failures while locked do not make the lock last longer', async () => {
  const server = await strictServer()
  await fail(server, 'lilei', 5)
  server.advance(14 * MINUTE)
  await fail(server, 'lilei', 3)
  server.advance(MINUTE + 1)
  expect(await attempt(server, 'lilei')).toMatchObject({ status: 200 })
})

/** `attempt`, retried while the node is too busy, as its answer asks for: how many it takes at once depends on the machine. */
async function attemptUntilTaken(...given: Parameters<typeof attempt>): ReturnType<typeof attempt> {
  const outcome = await attempt(...given)
  return outcome.status === 503 ? await attemptUntilTaken(...given) : outcome
}

test('of many parallel guesses no more are verified than the limit allows, and each one counts', async () => {
  const server = await strictServer()
  const guesses = Array.from({ length: 30 }, (_, i) => attemptUntilTaken(server, 'lilei', `guess-${i}`))
  expect((await Promise.all(guesses)).map(({ status }) => status)).toEqual(guesses.map(() => 401))
  const reasons = await server.platform.sql`
    select reason, count(*)::int as n from login_records group by reason order by reason`
  expect([...reasons]).toEqual([
    { reason: 'attempts.locked', n: 25 },
    { reason: 'password.wrong', n: 5 },
  ])
  expect(await attempt(server, 'lilei')).toMatchObject({ status: 401 })
})

test('many parallel correct logins of one person all succeed', async () => {
  const server = await strictServer()
  const logins = await Promise.all(Array.from({ length: 24 }, () => attemptUntilTaken(server, 'lilei')))
  expect(logins.map(({ status }) => status)).toEqual(logins.map(() => 200))
})

test('the count survives a restart and is shared by all nodes', async () => {
  const server = await strictServer()
  await fail(server, 'lilei', 3)
  const other = await server.secondNode()
  await fail(other, 'lilei', 2)
  const third = await server.secondNode()
  expect(await attempt(third, 'lilei')).toMatchObject({ status: 401 })
  expect(await attempt(server, 'lilei')).toMatchObject({ status: 401 })
})

test('a stranger who keeps failing on an account does not lock its owner out on a known device', async () => {
  const server = await strictServer(BEHIND_PROXY)
  const browser = await logIn(server, 'lilei')
  for (let minute = 0; minute < 10; minute += 1) {
    await fail(server, 'lilei', 3, '203.0.113.66')
    server.advance(MINUTE)
  }
  expect(await attempt(server, 'lilei', PASSWORD, { from: '198.51.100.1' })).toMatchObject({ status: 401 })
  expect(await attempt(server, 'lilei', PASSWORD, { from: '198.51.100.1', browser })).toMatchObject({ status: 200 })
  // The owner's success doesn't clear the stranger's failures.
  expect(await attempt(server, 'lilei', PASSWORD, { from: '203.0.113.66' })).toMatchObject({ status: 401 })
})

test('a known device has its own counter, only for the account it knows', async () => {
  const server = await strictServer()
  await addPerson(server, { account: 'hanmeimei' })
  const browser = await logIn(server, 'lilei')
  for (let i = 0; i < 5; i += 1) await attempt(server, 'lilei', 'wrong', { browser })
  expect(await attempt(server, 'lilei', PASSWORD, { browser })).toMatchObject({ status: 401 })
  expect(await attempt(server, 'lilei')).toMatchObject({ status: 200 })
  await fail(server, 'hanmeimei', 5)
  expect(await attempt(server, 'hanmeimei', PASSWORD, { browser })).toMatchObject({ status: 401 })
})

test('twenty known devices are kept per person', async () => {
  const server = await strictServer()
  for (let i = 0; i < 22; i += 1) {
    await logIn(server, 'lilei')
    server.advance(1)
  }
  expect(await server.platform.sql`select 1 from known_devices`).toHaveLength(20)
})

test.each(['lilei', 'nobody-at-all'])('after three failures of %j a captcha is required', async (name) => {
  const server = await testServer()
  await addPerson(server, { account: 'lilei' })
  const demand = { captcha: { kind: 'proof-of-work' } }
  expect(await attempt(server, name, 'wrong')).toMatchObject({ code: 'sign-in.refused', data: { captcha: null } })
  expect(await attempt(server, name, 'wrong')).toMatchObject({ data: { captcha: null } })
  expect(await attempt(server, name, 'wrong')).toMatchObject({ status: 401, code: 'sign-in.refused', data: demand })
  expect(await attempt(server, name)).toMatchObject({ status: 401, code: 'sign-in.captcha-required', data: demand })
  const captcha = { captchaId: 'x', captcha: 'y' }
  expect(await attempt(server, name, PASSWORD, { captcha })).toMatchObject({
    code: 'sign-in.captcha-wrong',
    data: demand,
  })
  expect(await attemptWithCaptcha(server, name, 'wrong')).toMatchObject({ code: 'sign-in.refused', data: demand })
})

test('with the captcha solved a correct password succeeds; it is valid once, and only in its own browser', async () => {
  const server = await testServer()
  await addPerson(server, { account: 'lilei' })
  await addPerson(server, { account: 'hanmeimei' })
  for (const name of ['lilei', 'hanmeimei']) await fail(server, name, 3)
  const browser = createBrowser(server)
  const captcha = await solvedCaptcha(browser)
  expect(await attempt(server, 'lilei', PASSWORD, { captcha })).toMatchObject({ code: 'sign-in.captcha-wrong' })
  expect(await attempt(server, 'lilei', PASSWORD, { browser, captcha })).toMatchObject({ status: 200 })
  expect(await attempt(server, 'hanmeimei', PASSWORD, { browser, captcha })).toMatchObject({
    code: 'sign-in.captcha-wrong',
  })
  expect(await attempt(server, 'lilei')).toMatchObject({ status: 200 })
})

test('attempts without the captcha are not counted and lock nobody', async () => {
  const server = await testServer()
  await addPerson(server, { account: 'lilei' })
  await fail(server, 'lilei', 40)
  expect(await attemptWithCaptcha(server, 'lilei')).toMatchObject({ status: 200 })
})

test('the captcha can be required from the first attempt on', async () => {
  const server = await testServer()
  await setPolicy(server, { captchaAfterFailures: 0, captchaKind: 'slider' })
  await addPerson(server, { account: 'lilei' })
  expect(await attempt(server, 'lilei')).toMatchObject({
    status: 401,
    code: 'sign-in.captcha-required',
    data: { captcha: { kind: 'slider' } },
  })
  expect(await attemptWithCaptcha(server, 'lilei')).toMatchObject({ status: 200 })
})

test('trying one password on many names is slowed down after twenty, for that address', async () => {
  const server = await testServer(BEHIND_PROXY)
  await addPerson(server, { account: 'lilei' })
  const device = await logIn(server, 'lilei')
  const evil = '203.0.113.66'
  for (let i = 0; i < 20; i += 1)
    expect(await attempt(server, `name-${i}`, 'Spring-2026', { from: evil })).toMatchObject({ code: 'sign-in.refused' })
  expect(await attempt(server, 'name-20', 'Spring-2026', { from: evil })).toMatchObject({
    code: 'sign-in.captcha-required',
  })
  expect(await attempt(server, 'lilei', PASSWORD, { from: evil })).toMatchObject({ code: 'sign-in.captcha-required' })
  expect(await attempt(server, 'lilei', PASSWORD, { from: '203.0.113.67' })).toMatchObject({ status: 200 })
  expect(await attempt(server, 'lilei', PASSWORD, { from: evil, browser: device })).toMatchObject({ status: 200 })
  server.advance(16 * MINUTE)
  expect(await attempt(server, 'lilei', PASSWORD, { from: evil })).toMatchObject({ status: 200 })
})

test('a household with a whole IPv6 network is one address', async () => {
  const server = await testServer(BEHIND_PROXY)
  const from = (i: number) => ({ from: `2001:db8:1:2:${i.toString(16)}::${i}` })
  for (let i = 0; i < 20; i += 1) await attempt(server, `name-${i}`, 'Spring-2026', from(i + 1))
  expect(await attempt(server, 'name-20', 'x', from(99))).toMatchObject({ code: 'sign-in.captcha-required' })
  expect(await attempt(server, 'name-20', 'x', { from: '2001:db8:1:3::1' })).toMatchObject({ code: 'sign-in.refused' })
})

test('a campus behind one address is not slowed down: people who mistype and then succeed do not count', async () => {
  const server = await testServer()
  const accounts = Array.from({ length: 30 }, (_, i) => `student-${i}`)
  for (const account of accounts) await addPerson(server, { account })
  for (const account of accounts) {
    await attempt(server, account, 'mistyped')
    expect(await attempt(server, account)).toMatchObject({ status: 200 })
  }
})
