import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import type { Browser } from '../../testing/browser.ts'
import { addCasApplication, addPerson, changeApplication, logIn, PASSWORD, postLogin } from '../../testing/people.ts'
import { openPortal } from '../../testing/portal.ts'
import {
  addClient,
  authorize,
  type Client,
  introspect,
  obtainTokens,
  redeem,
  refresh,
  returned,
  userinfo,
} from '../../testing/relying-party.ts'
import { type TestServer, testServer } from '../../testing/server.ts'

async function loggedIn(server: TestServer, application = {}) {
  await addPerson(server, { account: 'lilei' })
  const client = await addClient(server, { appId: 'lms', ...application })
  return { client, browser: await logIn(server, 'lilei') }
}

const people = (server: TestServer, changes: Record<string, unknown>) =>
  server.platform.sql`update users set ${server.platform.sql(changes)} where account = 'lilei'`

const ENDS: [string, (server: TestServer, browser: Browser) => Promise<unknown>][] = [
  ['log out', (_server, browser) => browser.get('/fwk_cas_service/logout')],
  ['be disabled', (server) => people(server, { enabled: false })],
  ['be locked', (server) => people(server, { locked_at: server.platform.now() })],
  ['be frozen', (server) => people(server, { frozen_from: server.platform.now() })],
  ['be deleted', (server) => people(server, { deleted_at: server.platform.now() })],
  ['lose the application', (server) => changeApplication(server, 'lms', { type: 'system' })],
  ['see the application disabled', (server) => changeApplication(server, 'lms', { enabled: false })],
  [
    'change their password elsewhere',
    async (server) => {
      const [row] = await server.platform.sql<{ id: string }[]>`select id from users where account = 'lilei'`
      const elsewhere = await openPortal(server, { userId: row?.id ?? '' })
      const body = { oldPassword: PASSWORD, newPassword: 'Quite-another-7' }
      const changed = await elsewhere.call(`/user_information/${row?.id}/update_password/`, { body })
      expect(changed.status).toBe(200)
    },
  ],
  [
    'be refused by an access rule',
    async (server) => {
      const root = await openPortal(server, { isSuperUser: true })
      const body = { name: 'Closed', mode: 'on', outcome: 'refuse', applications: ['lms'] }
      expect((await root.call('/access_rule/create/', { body })).status).toBe(200)
    },
  ],
  ['be away for too long', async (server) => server.advance(2 * 3600 + 60)],
]

describe('what an application holds of a person', () => {
  test.each(ENDS)('is worthless on every node as soon as they %s', async (_what, end) => {
    const server = await testServer()
    const second = await server.secondNode()
    const { client, browser } = await loggedIn(server)
    const witness = await addClient(second, { appId: 'witness' })
    const tokens = await obtainTokens(browser, client)
    const pending = returned(await authorize(browser, client))['code']
    await end(server, browser)
    for (const node of [server, second]) {
      const here = { ...client, server: node }
      await expect.poll(async () => (await userinfo(node, tokens.access_token)).status, { timeout: 1000 }).toBe(401)
      expect((await introspect({ ...witness, server: node }, tokens.access_token)).body).toEqual({ active: false })
      expect((await refresh(here, tokens.refresh_token)).body.error).toMatch(/^invalid_(grant|client)$/)
      expect((await redeem(here, pending)).body.error).toMatch(/^invalid_(grant|client)$/)
    }
  })
})

const claims = async (client: Client, answer: Awaited<ReturnType<typeof authorize>>) =>
  decodeJwt((await redeem(client, returned(answer)['code'])).body.id_token ?? '')

/** From the login page of a request back to the application. */
async function logInAgain(browser: Browser, asked: string) {
  const { searchParams } = new URL(asked)
  const service = searchParams.get('service') ?? ''
  const answer = await postLogin(browser, { username: 'lilei' }, { service, renew: searchParams.get('renew') ?? '' })
  return browser.get(answer.location)
}

describe('the one session', () => {
  test('of a CAS login lets a person in without a prompt; prompt=none without it says login_required', async () => {
    const server = await testServer()
    const { client, browser } = await loggedIn(server)
    await addCasApplication(server, { appId: 'library' })
    const service = encodeURIComponent('https://library.test/')
    expect((await browser.get(`/fwk_cas_service/login?service=${service}`)).location).toContain('ticket=ST-')
    expect(returned(await authorize(browser, client, { prompt: 'none' }))).toHaveProperty('code')
    await browser.get('/fwk_cas_service/logout')
    const without = returned(await authorize(browser, client, { prompt: 'none' }))
    expect(without).toMatchObject({ error: 'login_required', state: 'state-of-the-application' })
  })

  test.each([
    ['prompt=login', { prompt: 'login' }],
    ['max_age=1', { max_age: '1' }],
  ])('%s asks for the password again, and only that moves auth_time', async (_what, parameters) => {
    const server = await testServer()
    const { client, browser } = await loggedIn(server)
    const before = (await claims(client, await authorize(browser, client, { max_age: '10000' })))['auth_time']
    server.advance(5)
    const asked = await authorize(browser, client, parameters)
    expect(new URL(asked.location).searchParams.get('renew')).toBe('true')
    const service = new URL(asked.location).searchParams.get('service') ?? ''
    expect(returned(await browser.get(service))).not.toHaveProperty('code')
    const again = await authorize(browser, client, parameters)
    server.advance(1)
    const after = await claims(client, await logInAgain(browser, again.location))
    expect(after['auth_time']).toBeGreaterThan(Number(before))
  })

  test('max_age=10000 does not ask again, and hints break nothing', async () => {
    const server = await testServer()
    const { client, browser } = await loggedIn(server)
    const hints = { login_hint: 'someone', ui_locales: 'zh-CN en', display: 'page', acr_values: '1 2' }
    const answer = await authorize(browser, client, { max_age: '10000', ...hints })
    expect(await claims(client, answer)).toMatchObject({ sub: 'lilei', acr: '1' })
  })

  test('ui_locales chooses the language of the login page', async () => {
    const server = await testServer()
    const { client, browser } = await loggedIn(server)
    await browser.get('/fwk_cas_service/logout')
    const asked = await authorize(browser, client, { ui_locales: 'fr zh-TW en' })
    expect((await browser.get(asked.location)).text).toContain('lang="zh-TW"')
  })

  test('an ID token hint of somebody else asks for a login', async () => {
    const server = await testServer()
    const { client, browser } = await loggedIn(server)
    await addPerson(server, { account: 'hanmei' })
    const other = await obtainTokens(await logIn(server, 'hanmei'), client)
    const hint = { id_token_hint: other.id_token, prompt: 'none' }
    expect(returned(await authorize(browser, client, hint))['error']).toBe('login_required')
    const own = await obtainTokens(browser, client)
    const fits = await authorize(browser, client, { id_token_hint: own.id_token, prompt: 'none' })
    expect(returned(fits)).toHaveProperty('code')
  })

  test('that must change its password first gives no code', async () => {
    const server = await testServer()
    const client = await addClient(server, { appId: 'lms' })
    await addPerson(server, { account: 'lilei', mustChangePassword: true })
    const browser = await logIn(server, 'lilei')
    const answer = await authorize(browser, client)
    expect(answer.location).toContain('/auth_web/forgot-password?type=2&service=')
  })
})
