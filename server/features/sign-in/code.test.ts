import { afterAll, beforeAll, expect, test } from 'vitest'
import { mergeSettings } from '../../platform/settings.ts'
import { type Browser, createBrowser } from '../../testing/browser.ts'
import { addReachablePerson, allowManyCodes, askForCode } from '../../testing/login-codes.ts'
import { codeSentTo, outboxOf } from '../../testing/messages.ts'
import { addCasApplication, addPerson, PASSWORD } from '../../testing/people.ts'
import { callAs } from '../../testing/portal.ts'
import { startTestServer, type TestServer, testServer } from '../../testing/server.ts'
import { attempt, attemptWithCaptcha, setPolicy, solvedCaptcha } from '../../testing/sign-in.ts'

const DEMO = { env: { DEMO: '1' } }

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(DEMO)
  await setPolicy(server, { addressFailures: 100_000 })
  await allowManyCodes(server)
})
afterAll(() => server.close())

const JSON_HEADERS = { accept: 'application/json' }

const ask = (browser: Browser, target: string, on = server, extra: object = {}) =>
  askForCode(on, browser, target, extra)

async function enter(browser: Browser, username: string, code: string, extra: Record<string, string> = {}) {
  const fields = { loginType: 'captcha', username, code, ...extra }
  const answer = await browser.post('/fwk_cas_service/login', fields, JSON_HEADERS)
  return { answer, status: answer.status, ...answer.json<{ code?: string; data: unknown; message: string }>() }
}

const somebody = (on = server, extra: object = {}) => addReachablePerson(on, extra)

const lastRecord = async (on = server) => {
  const [row] = await on.platform.sql`
    select user_id, account, auth_type, succeeded, reason from login_records order by at desc, id desc limit 1`
  return row
}

test.each(['phone', 'mailbox'] as const)('a code to the bound %s logs in, and the record says how', async (kind) => {
  const person = await somebody()
  const browser = createBrowser(server)
  expect((await ask(browser, person[kind])).envelope.data).toEqual({
    secondsLeft: 60,
    expiresInSeconds: 300,
    channels: [expect.any(String)],
  })
  expect(await enter(browser, person[kind], await codeSentTo(server, person[kind]))).toMatchObject({ status: 200 })
  expect(browser.cookie('CASTGC')).toMatch(/^TGT-/)
  expect(await lastRecord()).toMatchObject({ userId: person.userId, authType: 'captcha', succeeded: true })
})

test('a form post without script is redirected to the service with a ticket', async () => {
  await addCasApplication(server, { appId: 'library' })
  const { phone } = await somebody()
  const browser = createBrowser(server)
  await ask(browser, phone)
  const code = await codeSentTo(server, phone)
  const fields = { loginType: 'captcha', username: phone, code: `验证码：${code}` }
  const query = new URLSearchParams({ service: 'https://library.test/' })
  const answer = await browser.post(`/fwk_cas_service/login?${query}`, fields)
  expect(answer.status).toBe(302)
  expect(answer.location).toMatch(/^https:\/\/library\.test\/\?ticket=ST-/)
})

test('a failed form post shows the code form again, with what was typed', async () => {
  const { phone } = await somebody()
  const answer = await createBrowser(server).post('/fwk_cas_service/login', {
    loginType: 'captcha',
    username: phone,
    code: '000000',
  })
  expect(answer.status).toBe(401)
  expect(answer.text).toContain('name="code"')
  expect(answer.text).toContain(phone)
  expect(answer.text).not.toContain('name="password"')
})

test.each(['138 0000 9999', '＋８６１３８００００９９９９', '13800009999', '+86-138-0000-9999'])(
  '%j is recognised as the number, however it is written',
  async (typed) => {
    const server = await testServer(DEMO)
    await addPerson(server, { account: 'lilei', phone: '13800009999' })
    const browser = createBrowser(server)
    expect((await ask(browser, typed, server)).status).toBe(200)
    const code = await codeSentTo(server, '+8613800009999')
    expect(await enter(browser, '13800009999', code)).toMatchObject({ status: 200 })
  },
)

test('a code works in the browser that asked for it, and nowhere else', async () => {
  const { phone } = await somebody()
  const browser = createBrowser(server)
  await ask(browser, phone)
  const code = await codeSentTo(server, phone)
  expect(await enter(createBrowser(server), phone, code)).toMatchObject({ status: 401, code: 'sign-in.code-refused' })
  expect(await enter(browser, phone, code)).toMatchObject({ status: 200 })
  expect(await enter(browser, phone, code)).toMatchObject({ status: 401, code: 'sign-in.code-refused' })
})

test('a code for one person logs nobody else in', async () => {
  const [one, other] = [await somebody(), await somebody()]
  const browser = createBrowser(server)
  await ask(browser, one.phone)
  const code = await codeSentTo(server, one.phone)
  for (const name of [other.phone, one.mailbox, one.account])
    expect(await enter(browser, name, code)).toMatchObject({ status: 401, code: 'sign-in.code-refused' })
})

const STATES = {
  normal: {},
  'locked-by-administrator': { locked_at: new Date(0) },
  frozen: { frozen_from: new Date(0) },
  dormant: { dormant_since: new Date(0) },
  inactive: { activated: false },
  disabled: { enabled: false },
  'must-change': { must_change_password: true },
}

/** Accounts in every state, and a name that nobody has, each with a phone. */
async function everybody(on: TestServer) {
  const phones = new Map([['nobody', '+8613612345678']])
  for (const [state, facts] of Object.entries(STATES)) {
    const { userId, phone } = await somebody(on)
    phones.set(state, phone)
    if (Object.keys(facts).length > 0)
      await on.platform.sql`update users set ${on.platform.sql(facts)} where id = ${userId}`
  }
  return phones
}

test('requesting a code and entering a wrong one get one and the same answer, whatever the state of the account', async () => {
  const told = new Map<string, string[]>()
  for (const [state, phone] of await everybody(server)) {
    const browser = createBrowser(server)
    const first = await ask(browser, phone)
    const again = await ask(browser, phone)
    const wrong = await enter(browser, phone, 'x')
    const bare = (text: string) => text.replace(/"requestId":"\w{20}"/g, '')
    const { requestId: _, ...envelope } = first.envelope
    const names = ({ headers }: { headers: Headers }) => [...headers].map(([name]) => name).sort()
    const seen = JSON.stringify([
      [first.status, envelope, names(first)],
      [again.status, again.envelope.code, names(again)],
      [wrong.status, bare(wrong.answer.text), names(wrong.answer)],
    ])
    told.set(seen, [...(told.get(seen) ?? []), state])
  }
  expect([...told.values()]).toHaveLength(1)
})

test.each([
  ['locked-by-administrator', 'sign-in.locked'],
  ['frozen', 'sign-in.frozen'],
  ['inactive', 'sign-in.inactive'],
  ['disabled', 'sign-in.disabled'],
] as const)('after a right code a person is told that the account is %s', async (state, code) => {
  const { userId, phone } = await somebody()
  await server.platform.sql`update users set ${server.platform.sql(STATES[state])} where id = ${userId}`
  const browser = createBrowser(server)
  await ask(browser, phone)
  expect(await enter(browser, phone, await codeSentTo(server, phone))).toMatchObject({ status: 403, code })
  expect(browser.cookie('CASTGC')).toBeUndefined()
})

test('a first password must be changed after a login by code as after any other', async () => {
  await addCasApplication(server, { appId: 'mail' })
  const { phone } = await somebody(server, { mustChangePassword: true })
  const browser = createBrowser(server)
  await ask(browser, phone)
  const query = new URLSearchParams({ service: 'https://mail.test/' })
  const fields = { loginType: 'captcha', username: phone, code: await codeSentTo(server, phone) }
  const answer = await browser.post(`/fwk_cas_service/login?${query}`, fields)
  expect(answer.location).toContain('/auth_web/forgot-password?type=2')
})

test('locking a name with wrong passwords does not keep the holder of the phone out', async () => {
  const { account, phone } = await somebody()
  await setPolicy(server, { captchaAfterFailures: 1000 })
  for (let i = 0; i < 5; i += 1) for (const name of [account, phone]) await attempt(server, name, 'wrong')
  expect(await attempt(server, account)).toMatchObject({ status: 401 })
  for (let i = 0; i < 6; i += 1) await enter(createBrowser(server), phone, '000000')
  const browser = createBrowser(server)
  await ask(browser, phone)
  expect(await enter(browser, phone, await codeSentTo(server, phone))).toMatchObject({ status: 200 })
  await setPolicy(server, { captchaAfterFailures: 3 })
})

test('wrong codes count: this browser must first solve a captcha, and is then locked out for a while', async () => {
  const server = await testServer(DEMO)
  const { phone } = await somebody(server)
  const browser = createBrowser(server)
  await ask(browser, phone, server)
  const code = await codeSentTo(server, phone)
  for (let i = 0; i < 3; i += 1) await enter(browser, phone, 'x')
  expect(await enter(browser, phone, code)).toMatchObject({
    code: 'sign-in.captcha-required',
    data: { captcha: { kind: 'proof-of-work' } },
  })
  for (let i = 0; i < 2; i += 1)
    expect(await enter(browser, phone, 'x', await solvedCaptcha(browser))).toMatchObject({
      code: 'sign-in.code-refused',
    })
  expect(await enter(browser, phone, code, await solvedCaptcha(browser))).toMatchObject({ status: 401 })
  expect(await lastRecord(server)).toMatchObject({ authType: 'captcha', succeeded: false, reason: 'code.wrong' })
})

test('a wrong code counts against the address, so that a sprayer has to solve captchas for passwords too', async () => {
  const server = await testServer(DEMO)
  await setPolicy(server, { addressFailures: 3 })
  for (let i = 0; i < 3; i += 1) await enter(createBrowser(server), `1391000000${i}`, '123456')
  await addPerson(server, { account: 'lilei' })
  expect(await attempt(server, 'lilei')).toMatchObject({ code: 'sign-in.captcha-required' })
  expect(await attemptWithCaptcha(server, 'lilei')).toMatchObject({ status: 200 })
})

test('many codes from one address, or for one name, ask for a captcha of their own kind first', async () => {
  const server = await testServer(DEMO)
  const { phone } = await somebody(server)
  const browser = createBrowser(server)
  for (let i = 0; i < 3; i += 1) {
    expect((await ask(browser, phone, server)).status).toBe(200)
    server.advance(61)
  }
  expect((await ask(browser, phone, server)).envelope).toMatchObject({
    code: 'verification-code.captcha-required',
    data: { captcha: { kind: 'proof-of-work' } },
  })
  const forLogin = await solvedCaptcha(browser)
  expect((await ask(browser, phone, server, forLogin)).envelope.code).toBe('verification-code.captcha-wrong')
  const own = await solvedCaptcha(browser, 'verification-code')
  expect((await ask(browser, phone, server, own)).status).toBe(200)
  server.advance(61)
  expect((await ask(browser, phone, server, own)).envelope.code).toBe('verification-code.captcha-wrong')
})

test('input that is neither a number nor a mailbox is rejected with that reason, and nothing is sent', async () => {
  const browser = createBrowser(server)
  const before = (await outboxOf(server)).length
  for (const body of [
    { purpose: 'login', phone: 'lilei' },
    { purpose: 'login', phone: '1391111' },
    { purpose: 'login' },
    { purpose: 'login', phone: '13800000001\u0000' },
  ]) {
    const reply = await callAs(server, browser, '/user_information/login/send_phonecaptcha', { body })
    expect(reply.envelope.code, JSON.stringify(body)).toBe('sign-in.no-target')
  }
  expect(await outboxOf(server)).toHaveLength(before)
})

test('a disabled login type is neither offered nor accepted; without a gateway there are no codes', async () => {
  const server = await testServer(DEMO)
  const { account, phone } = await somebody(server)
  const page = async () => (await createBrowser(server).get('/auth_web/login')).text
  expect(await page()).toContain('"types":["user","captcha"]')
  await setPolicy(server, { loginTypes: ['user'] })
  expect(await page()).toContain('"types":["user"]')
  const browser = createBrowser(server)
  expect((await ask(browser, phone, server)).envelope.code).toBe('sign-in.type-off')
  expect(await enter(browser, phone, '123456')).toMatchObject({ status: 403, code: 'sign-in.type-off' })
  await setPolicy(server, { loginTypes: ['captcha'] })
  expect(await page()).toContain('"types":["captcha"]')
  expect(await attempt(server, account)).toMatchObject({ status: 403, code: 'sign-in.type-off' })
  const bare = await testServer()
  expect((await createBrowser(bare).get('/auth_web/login')).text).toContain('"types":["user"]')
})

test('codes stay the only method while none can be sent: correct and wrong passwords and unknown names are answered alike', async () => {
  const used = await testServer(DEMO)
  const { account, phone } = await somebody(used)
  await mergeSettings({ ...used.platform, db: used.platform.sql }, 'messages', { mostSmsAnHour: 1, mostMailAnHour: 1 })
  await ask(createBrowser(used), phone, used)
  const bare = await testServer()
  await addPerson(bare, { account })
  for (const server of [used, bare]) {
    await setPolicy(server, { loginTypes: ['captcha'], restTicketAddresses: ['127.0.0.0/8'] })
    const answers = await Promise.all([
      attempt(server, account),
      attempt(server, account, 'wrong'),
      attempt(server, 'nobody'),
    ])
    expect(answers[0]).toMatchObject({ status: 403, code: 'sign-in.type-off' })
    for (const { status, message, data } of answers)
      expect([status, message, data]).toEqual([403, answers[0].message, answers[0].data])
    const form = { username: account, password: PASSWORD }
    expect((await createBrowser(server).post('/fwk_cas_service/login', form)).status).toBe(403)
    expect((await createBrowser(server).post('/fwk_cas_service/v1/tickets', form)).status).toBe(403)
    expect((await createBrowser(server).get('/auth_web/login')).text).toContain('"types":["captcha"]')
  }
})
