import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createAuthenticator } from '../../testing/authenticator.ts'
import { createBrowser } from '../../testing/browser.ts'
import { addCasApplication, addPerson } from '../../testing/people.ts'
import {
  challengeFor,
  codeOf,
  reauthenticate,
  setUpPasskey,
  submitPassword,
  submitSecondFactor,
} from '../../testing/second-factors.ts'
import { startTestServer, type TestServer, testServer } from '../../testing/server.ts'
import { enterPortal, setPolicy } from '../../testing/sign-in.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ host: 'localhost' })
  await setPolicy(server, { secondFactorSuperUsers: false, addressFailures: 100_000 })
  await addCasApplication(server, { appId: 'library' })
})
afterAll(() => server.close())
afterEach(() => setPolicy(server, { secondFactorCategories: [] }))

const service = 'https://library.test/'
let count = 0

const withPasskey = async (options: { verifiesUser?: boolean; counts?: boolean } = {}) => {
  const account = `person-${++count}`
  const userId = await addPerson(server, { account })
  const page = await enterPortal(server, account)
  await reauthenticate(page)
  const { passkey, reply } = await setUpPasskey(server, page, options)
  return { account, userId, page, passkey, reply }
}

const logInBy = (browser: ReturnType<typeof createBrowser>, passkey: string, query: Record<string, string> = {}) =>
  browser.post(
    `/fwk_cas_service/login?${new URLSearchParams(query)}`,
    { loginType: 'passkey', passkey },
    { accept: 'application/json' },
  )

describe('making a passkey', () => {
  test('keeps it, and gives recovery codes with the first factor only', async () => {
    const { page, reply } = await withPasskey()
    expect(reply.status).toBe(200)
    expect(reply.data.recoveryCodes).toHaveLength(10)
    expect(new Set(reply.data.recoveryCodes).size).toBe(10)
    const second = await setUpPasskey(server, page, { name: 'A key' })
    expect(second.reply.data.recoveryCodes).toBeNull()
    type Overview = { passkeys: { name: string }[]; recoveryCodes: object }
    const { data } = await page.call<Overview>('/second_factor/query/')
    expect(data.passkeys.map(({ name }) => name)).toEqual(['My laptop', 'A key'])
    expect(data.recoveryCodes).toEqual({ left: 10, total: 10 })
  })

  test('needs reauthentication', async () => {
    const account = `person-${++count}`
    await addPerson(server, { account })
    const page = await enterPortal(server, account)
    expect((await page.call('/passkey/options/', { body: {} })).envelope.code).toBe('reauthentication.required')
  })

  test.each([
    ['a challenge of another login', { challenge: 'AAAA' }],
    ['another site', { origin: 'https://evil.test' }],
    ['a passkey of another site', { rpId: 'evil.test' }],
  ])('refuses %s', async (_, wrong) => {
    const { page } = await withPasskey()
    const passkey = createAuthenticator({ origin: server.url })
    const asked = await page.call<{ challenge: string; user: { id: string } }>('/passkey/options/', { body: {} })
    const body = { name: 'x', response: passkey.register(asked.data, wrong) }
    expect((await page.call('/passkey/register/', { body })).envelope.code).toBe('passkey.refused')
  })

  test('refuses a challenge that was used, that is too old, or that was made for somebody else', async () => {
    const { page } = await withPasskey()
    const other = await withPasskey()
    type Asked = { challenge: string; user: { id: string } }
    const used = await page.call<Asked>('/passkey/options/', { body: {} })
    const send = (asked: Asked, by = page) => {
      const response = createAuthenticator({ origin: server.url }).register(asked)
      return by.call('/passkey/register/', { body: { name: 'x', response } })
    }
    expect((await send(used.data)).status).toBe(200)
    expect((await send(used.data)).envelope.code).toBe('passkey.refused')
    const foreign = await page.call<Asked>('/passkey/options/', { body: {} })
    expect((await send(foreign.data, other.page)).envelope.code).toBe('passkey.refused')
    const old = await page.call<Asked>('/passkey/options/', { body: {} })
    server.advance(301)
    expect((await send(old.data)).envelope.code).toBe('passkey.refused')
  })

  test('is not offered where browsers allow none', async () => {
    const plain = await testServer()
    expect((await createBrowser(plain).get('/auth_service/passkey/challenge/')).status).toBe(409)
    expect((await createBrowser(plain).get('/auth_web/login')).text).not.toContain('"passkey":true')
    expect((await createBrowser(server).get('/auth_web/login')).text).toContain('"passkey":true')
  })
})

describe('a login by passkey alone', () => {
  test('opens a session with both factors, and is recorded as what it was', async () => {
    const { userId, passkey, account } = await withPasskey()
    const browser = createBrowser(server)
    const answer = await logInBy(browser, passkey.answer({ challenge: await challengeFor(browser, 'login') }), {
      service,
    })
    expect(answer.json<{ data: { redirectUrl: string } }>().data.redirectUrl).toMatch(/ticket=ST-/)
    const [session] = await server.platform.sql`
      select auth_type as type, second_factor as factor from sso_sessions where user_id = ${userId} order by opened_at desc limit 1`
    expect(session).toEqual({ type: 'passkey', factor: 'passkey' })
    const [record] = await server.platform.sql`
      select account, auth_type as type, succeeded from login_records where user_id = ${userId} order by at desc limit 1`
    expect(record).toEqual({ account, type: 'passkey', succeeded: true })
  })

  test('needs an authenticator that verified its user', async () => {
    const { passkey } = await withPasskey({ verifiesUser: false })
    const browser = createBrowser(server)
    const answer = await logInBy(browser, passkey.answer({ challenge: await challengeFor(browser, 'login') }))
    expect([answer.status, codeOf(answer)]).toEqual([401, 'sign-in.passkey-refused'])
  })

  test.each([
    ['made up', async () => ({ challenge: 'x'.repeat(50) })],
    ['of another purpose', async (b) => ({ challenge: await challengeFor(b, 'second-factor') })],
    ['of another browser', async () => ({ challenge: await challengeFor(createBrowser(server), 'login') })],
    ['for another site', async (b) => ({ challenge: await challengeFor(b, 'login'), origin: 'https://evil.test' })],
    ['of another site’s passkey', async (b) => ({ challenge: await challengeFor(b, 'login'), rpId: 'evil.test' })],
  ] as [string, (browser: ReturnType<typeof createBrowser>) => Promise<{ challenge: string }>][])(
    'refuses an answer to a challenge that is %s',
    async (_, make) => {
      const { passkey } = await withPasskey()
      const browser = createBrowser(server)
      await challengeFor(browser, 'login')
      const answer = await logInBy(browser, passkey.answer(await make(browser)))
      expect([answer.status, codeOf(answer)]).toEqual([401, 'sign-in.passkey-refused'])
      expect(browser.cookie('CASTGC')).toBeUndefined()
    },
  )

  test('takes an answer once, of many parallel ones one, and none after five minutes', async () => {
    const { passkey } = await withPasskey()
    const browser = createBrowser(server)
    const given = passkey.answer({ challenge: await challengeFor(browser, 'login') })
    const answers = await Promise.all(Array.from({ length: 20 }, () => logInBy(browser, given)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const late = passkey.answer({ challenge: await challengeFor(browser, 'login') })
    server.advance(301)
    expect((await logInBy(browser, late)).status).toBe(401)
  })

  test('refuses rubbish and unknown passkeys in the same words', async () => {
    const browser = createBrowser(server)
    const stranger = createAuthenticator({ origin: server.url })
    const unknown = stranger.answer({ challenge: await challengeFor(browser, 'login') })
    for (const given of ['{', '{}', '[]', 'null', unknown, unknown.replace(/"signature":"./, '"signature":"A')]) {
      expect(codeOf(await logInBy(browser, given))).toBe('sign-in.passkey-refused')
    }
  })

  test('refuses an authenticator whose counter went backwards, and writes it down', async () => {
    const { userId, passkey } = await withPasskey()
    const browser = createBrowser(server)
    const use = async (counter: number) =>
      (await logInBy(browser, passkey.answer({ challenge: await challengeFor(browser, 'login'), counter }))).status
    expect(await use(10)).toBe(200)
    expect(await use(10)).toBe(401)
    expect(await use(9)).toBe(401)
    expect(await use(11)).toBe(200)
    const lines = await server.platform.sql`
      select action from audit_records where target_id = ${userId} and action = 'passkey.counter-went-back'`
    expect(lines).toHaveLength(2)
  })

  test('takes authenticators that never count', async () => {
    const { passkey } = await withPasskey({ counts: false })
    for (let i = 0; i < 2; i++) {
      const browser = createBrowser(server)
      expect((await logInBy(browser, passkey.answer({ challenge: await challengeFor(browser, 'login') }))).status).toBe(
        200,
      )
    }
  })

  test.each([
    ['disabled', 'enabled = false', 'sign-in.disabled'],
    ['frozen', "frozen_from = now() - interval '1 day'", 'sign-in.frozen'],
    ['locked', "locked_at = now() - interval '1 day'", 'sign-in.locked'],
    ['inactive', 'activated = false', 'sign-in.inactive'],
  ])('lets nobody in whose account is %s', async (_, change, code) => {
    const { userId, passkey } = await withPasskey()
    await server.platform.sql.unsafe(`update users set ${change} where id = '${userId}'`)
    const browser = createBrowser(server)
    const answer = await logInBy(browser, passkey.answer({ challenge: await challengeFor(browser, 'login') }))
    expect([answer.status, codeOf(answer)]).toEqual([403, code])
  })

  test('is over once the passkey is removed', async () => {
    const { page, passkey } = await withPasskey()
    const { data } = await page.call<{ passkeys: { id: string }[] }>('/second_factor/query/')
    expect((await page.call('/passkey/remove/', { body: { id: data.passkeys[0]?.id } })).status).toBe(200)
    const browser = createBrowser(server)
    const answer = await logInBy(browser, passkey.answer({ challenge: await challengeFor(browser, 'login') }))
    expect(answer.status).toBe(401)
  })
})

describe('a passkey as second factor', () => {
  const asked = async (account: string) => {
    await setPolicy(server, { secondFactorCategories: ['staff'] })
    await server.platform.sql`
      insert into user_categories (id, code, name) values (gen_random_uuid(), 'staff', 'Staff') on conflict do nothing`
    await server.platform.sql`
      update users set category_id = (select id from user_categories where code = 'staff') where account = ${account}`
    const browser = createBrowser(server)
    const first = await submitPassword(browser, account)
    expect(codeOf(first)).toBe('sign-in.second-factor-required')
    return { browser, first }
  }

  test('is asked by a rule, offers the person’s own passkeys, and need not verify its user', async () => {
    const { account, passkey } = await withPasskey({ verifiesUser: false })
    const { browser, first } = await asked(account)
    const { secondFactor } = first.json<{ data: { secondFactor: object } }>().data
    const allow = [{ id: passkey.id, transports: ['internal'] }]
    expect(secondFactor).toEqual({ totp: false, recovery: true, passkey: { rpId: 'localhost', allow }, trustDays: 30 })
    const code = passkey.answer({ challenge: await challengeFor(browser, 'second-factor') })
    expect((await submitSecondFactor(browser, { factor: 'passkey', code })).status).toBe(200)
  })

  test('must be the person’s own, and answer a challenge for this step', async () => {
    const { account, passkey } = await withPasskey()
    const other = await withPasskey()
    const { browser } = await asked(account)
    const foreign = other.passkey.answer({ challenge: await challengeFor(browser, 'second-factor') })
    const misused = passkey.answer({ challenge: await challengeFor(browser, 'login') })
    for (const code of [foreign, misused]) {
      expect(codeOf(await submitSecondFactor(browser, { factor: 'passkey', code }))).toBe('sign-in.second-factor-wrong')
    }
    expect(browser.cookie('CASTGC')).toBeUndefined()
  })
})
