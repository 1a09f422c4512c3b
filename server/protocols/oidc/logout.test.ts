import { createRemoteJWKSet, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { endSsoSessions } from '../../features/sessions/index.ts'
import { systemContext } from '../../platform/platform.ts'
import type { Browser } from '../../testing/browser.ts'
import { listen } from '../../testing/listener.ts'
import { addPerson, logIn } from '../../testing/people.ts'
import {
  addClient,
  authorize,
  type Client,
  introspect,
  OIDC,
  obtainTokens,
  refresh,
  returned,
  userinfo,
} from '../../testing/relying-party.ts'
import { type TestServer, testServer } from '../../testing/server.ts'

const endSession = (browser: Browser, parameters: Record<string, string> = {}) =>
  browser.get(`${OIDC}/logout?${new URLSearchParams(parameters)}`)

async function loggedIn(server: TestServer, application: Partial<Parameters<typeof addClient>[1]> = {}) {
  await addPerson(server, { account: 'lilei' })
  const client = await addClient(server, { appId: 'lms', ...application })
  const browser = await logIn(server, 'lilei')
  return { client, browser, tokens: await obtainTokens(browser, client) }
}

const isLoggedIn = async (browser: Browser, client: Client) =>
  returned(await authorize(browser, client, { prompt: 'none' }))['error'] !== 'login_required'

describe('RP-initiated logout', () => {
  test('RpInitiatedLogout: ends the one session and goes back with the state', async () => {
    const server = await testServer()
    const { client, browser, tokens } = await loggedIn(server)
    const answer = await endSession(browser, {
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: 'https://lms.test/',
      state: 'a b&c',
    })
    expect(answer.status).toBe(303)
    expect(answer.location).toBe('https://lms.test/?state=a+b%26c')
    expect(await isLoggedIn(browser, client)).toBe(false)
    expect((await userinfo(server, tokens.access_token)).status).toBe(401)
    expect((await introspect(client, tokens.access_token)).body).toEqual({ active: false })
    expect((await refresh(client, tokens.refresh_token)).body.error).toBe('invalid_grant')
  })

  test('by a form of the application, which carries no cookie of ours, ends the session too', async () => {
    const server = await testServer()
    const { client, browser, tokens } = await loggedIn(server)
    const fields = {
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: 'https://lms.test/',
      state: 'a b&c',
    }
    const init = { method: 'POST', redirect: 'manual', headers: { origin: 'https://lms.test' } } as const
    const posted = await fetch(`${server.url}${OIDC}/logout`, { ...init, body: new URLSearchParams(fields) })
    expect([posted.status, posted.headers.getSetCookie()]).toEqual([303, []])
    const answer = await browser.get(posted.headers.get('location') ?? '')
    expect(answer.location).toBe('https://lms.test/?state=a+b%26c')
    expect(await isLoggedIn(browser, client)).toBe(false)
    expect((await userinfo(server, tokens.access_token)).status).toBe(401)
  })

  test('HEAD of the logout ends no session', async () => {
    const server = await testServer()
    const { client, browser, tokens } = await loggedIn(server)
    const query = new URLSearchParams({ id_token_hint: tokens.id_token ?? '' })
    const headers = { cookie: browser.cookieHeader(`${OIDC}/logout`) }
    const reply = await fetch(`${server.url}${OIDC}/logout?${query}`, { method: 'HEAD', headers })
    expect(reply.status).toBe(404)
    expect(await isLoggedIn(browser, client)).toBe(true)
  })

  test("by an empty form of another site takes nobody's cookie away", async () => {
    const server = await testServer()
    const init = { method: 'POST', redirect: 'manual', headers: { origin: 'https://evil.test' } } as const
    const posted = await fetch(`${server.url}${OIDC}/logout`, { ...init, body: new URLSearchParams() })
    expect([posted.status, posted.headers.getSetCookie()]).toEqual([303, []])
  })

  test.each([
    ['NoPostLogoutRedirectUri', {}, 303],
    ['NoState', { post_logout_redirect_uri: 'https://lms.test/' }, 303],
  ])('%s', async (_name, parameters: Record<string, string>, status) => {
    const server = await testServer()
    const { client, browser, tokens } = await loggedIn(server)
    const answer = await endSession(browser, { id_token_hint: tokens.id_token ?? '', ...parameters })
    expect(answer.status).toBe(status)
    expect(await isLoggedIn(browser, client)).toBe(false)
  })

  test.each([
    ['BadLogoutRedirectUri', 'https://lms.test/other'],
    ['QueryAddedToLogoutRedirectUri', 'https://lms.test/?foo=bar'],
  ])('%s: ends the session, goes nowhere, and says where it could not go', async (_name, uri) => {
    const server = await testServer()
    const { client, browser, tokens } = await loggedIn(server)
    const asked = { id_token_hint: tokens.id_token ?? '', post_logout_redirect_uri: uri, state: 's' }
    const answer = await endSession(browser, asked)
    expect([answer.status, answer.location]).toEqual([200, ''])
    expect(answer.text).toContain(uri)
    expect(await isLoggedIn(browser, client)).toBe(false)
    // Once more, with nobody logged in: the same page.
    expect((await endSession(browser, asked)).text).toContain(uri)
  })

  test('with a hint of somebody else asks first, and then goes nowhere either', async () => {
    const server = await testServer()
    const { client, browser } = await loggedIn(server)
    await addPerson(server, { account: 'hanmei' })
    const { id_token = '' } = await obtainTokens(await logIn(server, 'hanmei'), client)
    const asked = { id_token_hint: id_token, post_logout_redirect_uri: 'https://evil.test/' }
    const question = await endSession(browser, asked)
    expect([question.status, question.location]).toEqual([200, ''])
    expect(await isLoggedIn(browser, client)).toBe(true)
    const confirmed = await browser.post(`${OIDC}/logout`, { ...asked, confirmed: 'true' })
    expect([confirmed.status, confirmed.location]).toEqual([200, ''])
    expect(confirmed.text).toContain('https://evil.test/')
    expect(await isLoggedIn(browser, client)).toBe(false)
  })

  test('without a hint an address that is not registered is refused, and the person stays logged in', async () => {
    const server = await testServer()
    const { client, browser } = await loggedIn(server)
    const answer = await endSession(browser, { client_id: 'lms', post_logout_redirect_uri: 'https://evil.test/' })
    expect([answer.status, answer.location]).toEqual([400, ''])
    expect(await isLoggedIn(browser, client)).toBe(true)
  })

  test.each([
    ['NoIdTokenHint', { post_logout_redirect_uri: 'https://lms.test/', state: 's' }],
    ['NoParams', {}],
    ['OnlyState', { state: 's' }],
    ['client_id instead of a hint', { client_id: 'lms', post_logout_redirect_uri: 'https://lms.test/' }],
  ])('%s: a page that asks, never a redirect', async (_name, parameters: Record<string, string>) => {
    const server = await testServer()
    const { client, browser } = await loggedIn(server)
    const answer = await endSession(browser, parameters)
    expect(answer.status).toBe(200)
    expect(answer.location).toBe('')
    expect(await isLoggedIn(browser, client)).toBe(true)
    const confirmed = await browser.post(`${OIDC}/logout`, { ...parameters, confirmed: 'true' })
    expect(confirmed.status).toBe(303)
    expect(await isLoggedIn(browser, client)).toBe(false)
  })

  test('ModifiedIdTokenHint, BadIdTokenHint: an error page, and the person stays logged in', async () => {
    const server = await testServer()
    const { client, browser, tokens } = await loggedIn(server)
    const [header, payload, signature = ''] = (tokens.id_token ?? '').split('.')
    const altered = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    const foreign = `${header}.${payload}.${altered}`
    for (const hint of ['nonsense', foreign, `${none}.${payload}.`, `${header}.${payload}.`]) {
      const answer = await endSession(browser, { id_token_hint: hint, post_logout_redirect_uri: 'https://lms.test/' })
      expect([answer.status, answer.location]).toEqual([400, ''])
    }
    expect(await isLoggedIn(browser, client)).toBe(true)
  })

  test('another page can neither post the confirmation nor hide the logout in a picture', async () => {
    const server = await testServer()
    const { client, browser, tokens } = await loggedIn(server)
    const evil = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }
    await browser.post(`${OIDC}/logout`, { confirmed: 'true' }, evil)
    const picture = { 'sec-fetch-dest': 'image', 'sec-fetch-site': 'cross-site' }
    await browser.get(`${OIDC}/logout?id_token_hint=${tokens.id_token}`, picture)
    expect(await isLoggedIn(browser, client)).toBe(true)
  })
})

describe('back-channel logout', () => {
  test('BackChannelRpInitiatedLogout: a signed logout token without a nonce names subject and session', async () => {
    const rp = await listen()
    const server = await testServer()
    const { browser, tokens } = await loggedIn(server, { backchannelLogoutUri: `${rp.url}/backchannel` })
    await endSession(browser, { id_token_hint: tokens.id_token ?? '' })
    const [call] = await rp.hear(1)
    const jwks = createRemoteJWKSet(new URL(`${server.url}${OIDC}/jwks`))
    const options = { issuer: `${server.url}${OIDC}`, audience: 'lms', typ: 'logout+jwt' }
    const { payload } = await jwtVerify(call?.fields.get('logout_token') ?? '', jwks, options)
    const idToken = await jwtVerify(tokens.id_token ?? '', jwks)
    expect(payload).toMatchObject({ sub: 'lilei', sid: idToken.payload['sid'] })
    expect(payload['events']).toEqual({ 'http://schemas.openid.net/event/backchannel-logout': {} })
    expect(payload).not.toHaveProperty('nonce')
    expect(payload.jti).toBeTruthy()
  })

  test('reaches the application when the session ends anywhere else, once more after a failure, and is on record', async () => {
    const rp = await listen(() => (rp.heard.length > 1 ? 204 : 500))
    const server = await testServer()
    await loggedIn(server, { backchannelLogoutUri: `${rp.url}/backchannel` })
    const ctx = systemContext(server.platform)
    const [session] = await ctx.sql<{ id: string }[]>`select id from sso_sessions`
    await endSsoSessions(ctx, { ids: [session?.id ?? ''] }, 'kicked-out')
    const onRecord = () => ctx.sql`select state, attempts, last_error from logout_deliveries`.then((rows) => [...rows])
    await expect.poll(onRecord).toEqual([{ state: 'pending', attempts: 1, lastError: 'HTTP 500' }])
    server.advance(20)
    await expect.poll(onRecord, { timeout: 30_000 }).toEqual([{ state: 'delivered', attempts: 2, lastError: null }])
  }, 20_000)
})
