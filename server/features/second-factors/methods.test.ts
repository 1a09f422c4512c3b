import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createBrowser } from '../../testing/browser.ts'
import { codeSentTo } from '../../testing/messages.ts'
import { addPerson } from '../../testing/people.ts'
import { callAs, openPortal } from '../../testing/portal.ts'
import {
  codeOf,
  reauthenticate,
  setUpApp,
  setUpPasskey,
  submitSecondFactor,
  totpCode,
} from '../../testing/second-factors.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { enterPortal, setPolicy } from '../../testing/sign-in.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ host: 'localhost', env: { DEMO: '1' } })
  await setPolicy(server, { secondFactorSuperUsers: false, restTicketAddresses: ['127.0.0.0/8', '::1/128'] })
})
afterAll(() => server.close())

let count = 0
const withApp = async (more: object = {}) => {
  const account = `person-${++count}`
  const userId = await addPerson(server, { account, ...more })
  const page = await enterPortal(server, account)
  await reauthenticate(page)
  return { account, userId, app: await setUpApp(server, page) }
}

describe('the second factor', () => {
  test('follows a login by a code to the phone like one by password', async () => {
    const phone = '+8613700001111'
    const { app } = await withApp({ phone })
    const browser = createBrowser(server)
    const body = { purpose: 'login', phone }
    await callAs(server, browser, '/user_information/login/send_phonecaptcha/', { body })
    // After the notice that an app was set up.
    const fields = { loginType: 'captcha', username: phone, code: await codeSentTo(server, phone, 2) }
    const first = await browser.post('/fwk_cas_service/login', fields, { accept: 'application/json' })
    expect([first.status, codeOf(first)]).toEqual([401, 'sign-in.second-factor-required'])
    expect(browser.cookie('CASTGC')).toBeUndefined()
    expect((await submitSecondFactor(browser, { code: totpCode(server, app.secret) })).status).toBe(200)
    const [row] = await server.platform.sql`
      select auth_type as type, second_factor as factor from sso_sessions order by opened_at desc limit 1`
    expect(row).toEqual({ type: 'captcha', factor: 'totp' })
  })

  test('can not be left out by a program that uses the REST ticket API', async () => {
    const { account } = await withApp()
    const form = { username: account, password: 'Correct-horse-9' }
    const answer = await createBrowser(server).post('/fwk_cas_service/v1/tickets', form)
    expect([answer.status, answer.headers.get('location')]).toEqual([401, null])
  })
})

describe('reauthentication', () => {
  type ReauthenticationStatus = { freshUntil: string | null; methods: { method: string }[] }

  test('can be a code of the app: each once, wrong ones counted with those of the login', async () => {
    const { account, userId, app } = await withApp()
    const browser = createBrowser(server)
    await browser.post('/fwk_cas_service/login', { username: account, password: 'Correct-horse-9' })
    const page = await openPortal(server, { userId })
    const { data } = await page.call<ReauthenticationStatus>('/reauthentication/query/')
    expect(data.methods.map(({ method }) => method)).toContain('totp')
    const submit = async (answer: string) =>
      (await page.call('/reauthentication/submit/', { body: { method: 'totp', answer } })).envelope
    expect(await submit(app.recoveryCodes[0] ?? '')).toMatchObject({ state: 422, code: 'second-factor.code-wrong' })
    server.advance(60)
    const code = totpCode(server, app.secret)
    expect(await submit(code)).toMatchObject({ state: 200 })
    for (let i = 0; i < 4; i++) expect(await submit(code)).toMatchObject({ code: 'second-factor.code-wrong' })
    expect(await submit(code)).toMatchObject({ state: 429, code: 'second-factor.too-many-attempts' })
    expect((await submitSecondFactor(browser, { code: totpCode(server, app.secret, 1) })).status).toBe(429)
  })

  test('can be a passkey, for a challenge of this session and of nothing else', async () => {
    const account = `person-${++count}`
    await addPerson(server, { account })
    const page = await enterPortal(server, account)
    await reauthenticate(page)
    const { passkey } = await setUpPasskey(server, page)
    const later = await enterPortal(server, account)
    const begin = async (on = later) =>
      (
        await on.call<{ options: { challenge: string; allowCredentials: { id: string }[] } }>(
          '/reauthentication/begin/',
          {
            body: { method: 'passkey' },
          },
        )
      ).data.options
    const submit = async (challenge: string) =>
      (
        await later.call('/reauthentication/submit/', {
          body: { method: 'passkey', answer: passkey.answer({ challenge }) },
        })
      ).envelope
    const { challenge, allowCredentials } = await begin()
    expect(allowCredentials.map(({ id }) => id)).toEqual([passkey.id])
    expect(await submit((await begin(page)).challenge)).toMatchObject({ state: 422, code: 'passkey.refused' })
    expect(await submit(challenge)).toMatchObject({ state: 200 })
    expect(await submit(challenge)).toMatchObject({ state: 422 })
  })
})
