import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Browser, createBrowser } from '../../testing/browser.ts'
import { addCasApplication, addPerson, PASSWORD } from '../../testing/people.ts'
import { openPortal } from '../../testing/portal.ts'
import {
  type App,
  codeOf,
  reauthenticate,
  setUpApp,
  submitPassword,
  submitSecondFactor,
  totpCode,
} from '../../testing/second-factors.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { BEHIND_PROXY, enterPortal, setPolicy } from '../../testing/sign-in.ts'

let server: TestServer
let app: App
let account: string
let userId: string
let count = 0

beforeAll(async () => {
  server = await startTestServer(BEHIND_PROXY)
  await setPolicy(server, { addressFailures: 100_000 })
  await addCasApplication(server, { appId: 'library' })
})
afterAll(() => server.close())
beforeEach(async () => {
  account = `person-${++count}`
  userId = await addPerson(server, { account })
  const page = await enterPortal(server, account)
  await reauthenticate(page)
  app = await setUpApp(server, page)
})

const service = 'https://library.test/books'
const hasSession = (browser: Browser) => browser.cookie('CASTGC') !== undefined
const sessions = async () => {
  const [row] = await server.platform.sql<{ n: number }[]>`
    select count(*)::int as n from sso_sessions where user_id = ${userId} and ended_at is null`
  return row?.n
}

describe('a person with an authenticator app', () => {
  test('gets no session for the password alone, and one for the code', async () => {
    const browser = createBrowser(server)
    const before = await sessions()
    const first = await submitPassword(browser, account, { service })
    expect([first.status, codeOf(first)]).toEqual([401, 'sign-in.second-factor-required'])
    expect(first.json<{ data: unknown }>().data).toEqual({
      secondFactor: { totp: true, recovery: true, passkey: null, trustDays: 30 },
    })
    expect(hasSession(browser)).toBe(false)
    expect(await sessions()).toBe(before)
    const second = await submitSecondFactor(browser, { code: totpCode(server, app.secret) }, { service })
    expect(second.status).toBe(200)
    const { redirectUrl } = second.json<{ data: { redirectUrl: string } }>().data
    expect(redirectUrl).toMatch(/^https:\/\/library\.test\/books\?ticket=ST-/)
    expect(hasSession(browser)).toBe(true)
    const [row] = await server.platform.sql`
      select second_factor as factor, auth_type as type from sso_sessions where user_id = ${userId} order by opened_at desc limit 1`
    expect(row).toEqual({ factor: 'totp', type: 'user' })
  })

  test('a code may be typed in groups, and full width', async () => {
    const browser = createBrowser(server)
    await submitPassword(browser, account)
    const code = totpCode(server, app.secret).replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)))
    expect((await submitSecondFactor(browser, { code: `${code.slice(0, 3)} ${code.slice(3)}` })).status).toBe(200)
  })

  test('a code works once, also within its half minute and in another browser', async () => {
    const [one, other] = [createBrowser(server), createBrowser(server)]
    await Promise.all([submitPassword(one, account), submitPassword(other, account)])
    const code = totpCode(server, app.secret)
    expect((await submitSecondFactor(one, { code })).status).toBe(200)
    expect(codeOf(await submitSecondFactor(other, { code }))).toBe('sign-in.second-factor-wrong')
    expect(codeOf(await submitSecondFactor(other, { code: totpCode(server, app.secret, -1) }))).toBe(
      'sign-in.second-factor-wrong',
    )
  })

  test('codes of two minutes ago or ahead are wrong', async () => {
    const browser = createBrowser(server)
    await submitPassword(browser, account)
    for (const steps of [-4, -2, 2, 4]) {
      expect(codeOf(await submitSecondFactor(browser, { code: totpCode(server, app.secret, steps) }))).toBe(
        'sign-in.second-factor-wrong',
      )
    }
  })

  test('a recovery code works once, of two parallel uses one; it is recorded', async () => {
    const browsers = Array.from({ length: 6 }, () => createBrowser(server))
    for (const browser of browsers) await submitPassword(browser, account)
    const code = (app.recoveryCodes[0] ?? '').toUpperCase().replace('-', ' ')
    const answers = await Promise.all(browsers.map((browser) => submitSecondFactor(browser, { code })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const lines = await server.platform.sql`
      select action from audit_records where target_id = ${userId} and action = 'recovery-code.use'`
    expect(lines).toHaveLength(1)
  })

  test('of parallel answers with one login, one opens a session', async () => {
    const browser = createBrowser(server)
    await submitPassword(browser, account)
    const before = (await sessions()) ?? 0
    const codes = app.recoveryCodes.slice(1, 4)
    const answers = await Promise.all(codes.map((code) => submitSecondFactor(browser, { code })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await sessions()).toBe(before + 1)
  })

  test('wrong tries block the second factor for fifteen minutes, in every browser, and the password stays good', async () => {
    const browser = createBrowser(server)
    await submitPassword(browser, account)
    for (let i = 0; i < 4; i++) expect((await submitSecondFactor(browser, { code: '000000' })).status).toBe(401)
    const last = await submitSecondFactor(browser, { code: '000000' })
    expect([last.status, codeOf(last)]).toEqual([429, 'sign-in.second-factor-locked'])
    const other = createBrowser(server)
    expect(codeOf(await submitPassword(other, account))).toBe('sign-in.second-factor-required')
    expect((await submitSecondFactor(other, { code: totpCode(server, app.secret) })).status).toBe(429)
    expect((await submitSecondFactor(other, { code: app.recoveryCodes[0] ?? '' })).status).toBe(429)
    const [counter] = await server.platform.sql`
      select count(*)::int as n from attempt_counters where user_id = ${userId} and kind = 'person'`
    expect(counter).toEqual({ n: 0 })
    server.advance(16 * 60)
    await submitPassword(other, account)
    expect((await submitSecondFactor(other, { code: totpCode(server, app.secret) })).status).toBe(200)
  })

  test('of many parallel guesses no more are looked at than the limit', async () => {
    const browser = createBrowser(server)
    await submitPassword(browser, account)
    const guesses = Array.from({ length: 40 }, (_, i) => submitSecondFactor(browser, { code: String(100_000 + i) }))
    const answers = await Promise.all(guesses)
    expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(4)
    expect((await submitSecondFactor(browser, { code: totpCode(server, app.secret) })).status).toBe(429)
  })

  test('each failure stands in the records', async () => {
    const browser = createBrowser(server)
    await submitPassword(browser, account)
    await submitSecondFactor(browser, { code: '000000' })
    const [row] = await server.platform.sql`
      select account, succeeded, reason from login_records where user_id = ${userId} order by at desc limit 1`
    expect(row).toEqual({ account, succeeded: false, reason: 'second-factor.wrong' })
  })

  test('a half-finished login is worth nothing in another browser', async () => {
    const browser = createBrowser(server)
    await submitPassword(browser, account)
    const thief = createBrowser(server)
    await thief.get('/auth_web/login')
    await thief.get('/fwk_cas_service/login')
    thief.setCookie('gatehouse_pending', browser.cookie('gatehouse_pending') ?? '', '/fwk_cas_service/')
    const stolen = await submitSecondFactor(thief, { code: totpCode(server, app.secret) })
    expect([stolen.status, codeOf(stolen)]).toEqual([401, 'sign-in.second-factor-expired'])
    expect(hasSession(thief)).toBe(false)
    expect((await submitSecondFactor(browser, { code: totpCode(server, app.secret) })).status).toBe(200)
  })

  test('it waits ten minutes, and without a login no second factor is accepted', async () => {
    const browser = createBrowser(server)
    expect(codeOf(await submitSecondFactor(browser, { code: '123456' }))).toBe('sign-in.second-factor-expired')
    await submitPassword(browser, account)
    server.advance(601)
    expect(codeOf(await submitSecondFactor(browser, { code: totpCode(server, app.secret) }))).toBe(
      'sign-in.second-factor-expired',
    )
  })

  test.each([
    ['frozen', "frozen_from = now() - interval '1 day'", 'sign-in.frozen'],
    ['disabled', 'enabled = false', 'sign-in.disabled'],
    ['locked', "locked_at = now() - interval '1 day'", 'sign-in.locked'],
  ])('somebody who is %s between the steps stays outside', async (_, change, code) => {
    const browser = createBrowser(server)
    await submitPassword(browser, account)
    await server.platform.sql.unsafe(`update users set ${change} where id = '${userId}'`)
    expect(codeOf(await submitSecondFactor(browser, { code: totpCode(server, app.secret) }))).toBe(code)
    expect(hasSession(browser)).toBe(false)
  })

  test('a password changed between the steps makes the first one worthless', async () => {
    const browser = createBrowser(server)
    await submitPassword(browser, account)
    await server.platform.sql`update passwords set changed_at = now() where user_id = ${userId}`
    expect(codeOf(await submitSecondFactor(browser, { code: totpCode(server, app.secret) }))).toBe('sign-in.refused')
    expect(hasSession(browser)).toBe(false)
  })

  test('nothing tells before the password is right that a second factor would be asked for', async () => {
    const plain = `plain-${count}`
    await addPerson(server, { account: plain })
    const answers = []
    for (const name of [account, plain, 'nobody-at-all']) {
      const browser = createBrowser(server)
      const answer = await browser.post(
        '/fwk_cas_service/login',
        { username: name, password: 'Wrong-horse-9' },
        { accept: 'application/json' },
      )
      const { requestId: _, ...body } = answer.json<{ requestId: string }>()
      answers.push([answer.status, body, answer.headers.getSetCookie().length])
    }
    expect(answers[0]).toEqual(answers[1])
    expect(answers[0]).toEqual(answers[2])
  })

  test('who must change the password does so after the second factor, and gets no ticket before', async () => {
    await server.platform.sql`update users set must_change_password = true where id = ${userId}`
    const browser = createBrowser(server)
    await submitPassword(browser, account, { service })
    const answer = await submitSecondFactor(browser, { code: totpCode(server, app.secret) }, { service })
    const { redirectUrl } = answer.json<{ data: { redirectUrl: string } }>().data
    expect(redirectUrl).toContain('/auth_web/forgot-password?type=2')
  })
})

describe('without script', () => {
  test('the page asks for the code, says what was wrong, and leads on', async () => {
    const browser = createBrowser(server)
    const query = new URLSearchParams({ service })
    const asked = await browser.post(`/fwk_cas_service/login?${query}`, { username: account, password: PASSWORD })
    expect(asked.status).toBe(401)
    expect(asked.text).toContain('Two-step verification')
    expect(asked.text).toMatch(/<input[^>]*autoComplete="one-time-code"[^>]*name="code"/)
    const again = await browser.get(`/fwk_cas_service/login?${query}`)
    expect(again.text).toContain('Two-step verification')
    const form = { loginType: 'second-factor', factor: 'typed' }
    const wrong = await browser.post(`/fwk_cas_service/login?${query}`, { ...form, code: '000000' })
    expect(wrong.status).toBe(401)
    expect(wrong.text).toContain('That isn')
    const right = await browser.post(`/fwk_cas_service/login?${query}`, { ...form, code: app.recoveryCodes[5] ?? '' })
    expect([right.status, right.location.startsWith(service)]).toEqual([302, true])
  })

  test('another site can not submit the second factor', async () => {
    const browser = createBrowser(server)
    await submitPassword(browser, account)
    const form = { loginType: 'second-factor', factor: 'typed', code: totpCode(server, app.secret) }
    const answer = await browser.post('/fwk_cas_service/login', form, { origin: 'https://evil.test' })
    expect(answer.status).toBe(403)
    expect(hasSession(browser)).toBe(false)
  })
})

describe('a trusted browser', () => {
  const trusting = async () => {
    const browser = createBrowser(server)
    await submitPassword(browser, account)
    expect((await submitSecondFactor(browser, { code: totpCode(server, app.secret), trust: true })).status).toBe(200)
    server.advance(60)
    return browser
  }

  test('stands in for the second factor for thirty days, for its person alone', async () => {
    const browser = await trusting()
    expect((await submitPassword(browser, account)).status).toBe(200)
    const other = await addPerson(server, { account: `other-${count}` })
    const page = await enterPortal(server, `other-${count}`)
    await reauthenticate(page)
    await setUpApp(server, page)
    expect(other).not.toBe('')
    expect(codeOf(await submitPassword(browser, `other-${count}`))).toBe('sign-in.second-factor-required')
    expect((await submitPassword(browser, account)).status).toBe(200)
    server.advance(30 * 24 * 3600)
    expect(codeOf(await submitPassword(browser, account))).toBe('sign-in.second-factor-required')
  })

  test('is trusted no longer once the password was changed', async () => {
    const browser = await trusting()
    await server.platform.sql`update passwords set changed_at = ${server.platform.now()} where user_id = ${userId}`
    expect(codeOf(await submitPassword(browser, account))).toBe('sign-in.second-factor-required')
  })

  test('is listed, and forgotten at once', async () => {
    const browser = await trusting()
    const page = await openPortal(server, { userId })
    type Listed = { trustedBrowsers: { id: string; current: boolean }[] }
    const { data } = await page.call<Listed>('/second_factor/query/')
    expect(data.trustedBrowsers).toHaveLength(1)
    const ids = data.trustedBrowsers.map(({ id }) => id)
    expect((await page.call('/second_factor/trusted_browsers/forget/', { body: { ids } })).status).toBe(200)
    expect(codeOf(await submitPassword(browser, account))).toBe('sign-in.second-factor-required')
  })

  test('can be switched off, which also ends the trust of before', async () => {
    const browser = await trusting()
    await setPolicy(server, { trustedBrowserDays: 0 })
    try {
      const asked = await submitPassword(browser, account)
      expect(asked.json<{ data: { secondFactor: { trustDays: number } } }>().data.secondFactor.trustDays).toBe(0)
      const stranger = createBrowser(server)
      await submitPassword(stranger, account)
      await submitSecondFactor(stranger, { code: totpCode(server, app.secret), trust: true })
      expect(stranger.cookie('gatehouse_trust')).toBeUndefined()
    } finally {
      await setPolicy(server, { trustedBrowserDays: 30 })
    }
  })
})
