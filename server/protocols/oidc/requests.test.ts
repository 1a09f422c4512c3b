import { describe, expect, test } from 'vitest'
import { createBrowser } from '../../testing/browser.ts'
import { addPerson, logIn } from '../../testing/people.ts'
import {
  addClient,
  authorize,
  authorizePath,
  type Client,
  OIDC,
  obtainTokens,
  post,
  redeem,
  returned,
} from '../../testing/relying-party.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { BEHIND_PROXY } from '../../testing/sign-in.ts'

async function loggedIn(server: TestServer, application = {}) {
  await addPerson(server, { account: 'lilei' })
  const client = await addClient(server, { appId: 'lms', ...application })
  return { client, browser: await logIn(server, 'lilei') }
}

describe('an authorization request', () => {
  test.each([
    ['https://lms.test/other'],
    ['https://lms.test/callback?foo=bar'],
    ['https://lms.test/callback#fragment'],
    ['https://lms.test/callback/'],
    ['https://lms.test/callback/../callback'],
    ['https://LMS.test/callback'],
    ['https://lms.test:443/callback'],
    ['https://user@lms.test/callback'],
    ['https://lms.test.evil.test/callback'],
    ['http://lms.test/callback'],
    ['javascript:alert(1)'],
    ['https://lms.test/callback\u0000'],
    [undefined],
  ])('that would go to %s ends on our own page', async (redirectUri) => {
    const server = await testServer()
    const { client, browser } = await loggedIn(server)
    for (const one of [browser, createBrowser(server)]) {
      const answer = await authorize(one, client, { redirect_uri: redirectUri })
      expect([answer.status, answer.location]).toEqual([400, ''])
      expect(answer.headers.get('content-type')).toContain('text/html')
    }
  })

  test('of an unknown or disabled application ends on our own page', async () => {
    const server = await testServer()
    const { client, browser } = await loggedIn(server)
    const unknown = await authorize(browser, { ...client, id: 'nobody' })
    expect([unknown.status, unknown.location]).toEqual([400, ''])
    await server.platform.sql`update applications set enabled = false where app_id = 'lms'`
    await server.platform.cache.invalidate(server.platform.sql, 'applications')
    const disabled = await authorize(browser, client)
    expect([disabled.status, disabled.location]).toEqual([400, ''])
    const records = await server.platform
      .sql`select target_id, reason from audit_records where action = 'request.refused'`
    expect(records).toEqual([
      { targetId: 'nobody', reason: 'invalid_client' },
      { targetId: 'lms', reason: 'invalid_client' },
    ])
    for (let i = 0; i < 10; i++) await authorize(browser, { ...client, id: `nobody ${i}` })
    const all = await server.platform.sql`select from audit_records where action = 'request.refused'`
    expect(all).toHaveLength(5)
  })

  test('that is not granted to the person gets its page, without a code; prompt=none tells the application', async () => {
    const server = await testServer()
    const { client, browser } = await loggedIn(server, { type: 'system' })
    const answer = await authorize(browser, client)
    const page = await browser.get(answer.location)
    expect(page.status).toBe(403)
    expect(page.location).toBe('')
    expect(returned(await authorize(browser, client, { prompt: 'none' }))['error']).toBe('access_denied')
  })

  test('that waits goes on for its own application only, whatever the address of its way back says', async () => {
    const server = await testServer()
    const { client, browser } = await loggedIn(server, { type: 'system' })
    await addClient(server, { appId: 'open' })
    const { location } = await authorize(browser, client)
    const back = new URL(new URL(location).searchParams.get('service') ?? '')
    back.searchParams.set('client_id', 'open')
    expect(returned(await browser.get(back.href))).not.toHaveProperty('code')
    const visits = await server.platform.sql`select from visit_records where entry = 'sign-on'`
    expect(visits).toHaveLength(0)
  })

  test('for a person without what the application knows people by: a page says so; prompt=none tells the application', async () => {
    const server = await testServer()
    const { client, browser } = await loggedIn(server, { userAttribute: 'mailbox' })
    const page = await browser.get((await authorize(browser, client)).location)
    expect([page.status, page.location]).toEqual([403, ''])
    expect(page.text).toContain('Your account has no email address')
    const told = await authorize(browser, client, { prompt: 'none' })
    expect(told.location).toMatch(/^https:\/\/lms\.test\/callback\?/)
    expect(returned(told)).toMatchObject({ error: 'access_denied', state: 'state-of-the-application' })
  })

  test('with a subject that is pairwise needs nothing of the account', async () => {
    const server = await testServer()
    const { client, browser } = await loggedIn(server, { userAttribute: 'mailbox', subjectType: 'pairwise' })
    expect(returned(await authorize(browser, client))).toHaveProperty('code')
  })

  test.each([
    ['a public client without a challenge', { code_challenge: undefined, code_challenge_method: undefined }],
    ['the plain method', { code_challenge_method: 'plain' }],
    ['a challenge without a method', { code_challenge_method: undefined }],
    ['a short challenge', { code_challenge: 'short' }],
  ])('with %s is refused', async (_what, parameters) => {
    const server = await testServer()
    const { client, browser } = await loggedIn(server, { clientSecret: null })
    const answer = await authorize(browser, { ...client, secret: null }, parameters)
    expect(returned(answer)).toMatchObject({ error: 'invalid_request', iss: `${server.url}${OIDC}` })
  })

  test('gives state and nonce back byte by byte, and escapes them in a form', async () => {
    const server = await testServer()
    const { client, browser } = await loggedIn(server)
    const state = '"><script>alert(1)</script>\r\nX: y &=+%20 中文'
    const answer = await authorize(browser, client, { state, nonce: state })
    expect(returned(answer)['state']).toBe(state)
    expect(answer.headers.get('x')).toBeNull()
    const { body } = await redeem(client, returned(answer)['code'])
    const [, payload = ''] = (body.id_token ?? '').split('.')
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({ nonce: state })
    const form = await authorize(browser, client, { state, response_mode: 'form_post' })
    expect(form.status).toBe(200)
    expect(form.text).not.toContain('<script>alert')
    expect(form.text).toContain('action="https://lms.test/callback"')
    expect(form.headers.get('content-security-policy')).toContain('form-action')
  })

  test('with too much, twice, or in a wrong shape is refused cheaply; one unknown parameter is ignored', async () => {
    const server = await testServer()
    const { client, browser } = await loggedIn(server)
    const path = authorizePath(client)
    const scopes = encodeURIComponent(Array.from({ length: 2000 }, (_, i) => `s${i}`).join(' '))
    for (const extra of ['&redirect_uri=https%3A%2F%2Fevil.test%2F', '&scope=openid'.repeat(200), '&client_id=other']) {
      const answer = await browser.get(`${path}${extra}`)
      expect(answer.location).not.toContain('evil.test')
      expect(returned(answer)).not.toHaveProperty('code')
    }
    expect((await browser.get(`${path}&state=${'s'.repeat(20_000)}`)).status).toBe(431)
    const anonymous = createBrowser(server)
    expect((await anonymous.get(`${path}&state=${'s'.repeat(9000)}`)).status).toBe(413)
    expect(await server.platform.sql`select from ephemeral_state where kind = 'oidc-interaction'`).toEqual([])
    expect((await browser.get(path.replace('scope=openid', `scope=openid%20${scopes}`))).status).toBeLessThan(500)
    expect(returned(await browser.get(`${path}&unknown=1`))).toHaveProperty('code')
  })

  test('speaks of no address but the configured one, whatever a request calls us', async () => {
    const server = await testServer()
    const { client } = await loggedIn(server)
    const headers = { host: 'evil.test', 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'javascript' }
    const browser = createBrowser(server)
    for (const path of [`${OIDC}/.well-known/openid-configuration`, authorizePath(client)]) {
      const answer = await browser.get(path, headers)
      expect(answer.text + answer.location).not.toContain('evil.test')
    }
    expect((await browser.get(authorizePath(client), headers)).location).toContain(`${server.url}/auth_web/login`)
  })
})

describe('cross-origin reading', () => {
  const asked = async (server: TestServer, path: string, origin: string, method = 'GET') => {
    const preflight = { 'access-control-request-method': 'POST' }
    const answer = await fetch(`${server.url}${OIDC}${path}`, {
      method,
      headers: { origin, ...(method === 'OPTIONS' && preflight) },
      ...(method === 'POST' && { body: new URLSearchParams({ grant_type: 'authorization_code' }) }),
    })
    return answer.headers
  }

  test('is for pages of registered applications; never with credentials', async () => {
    const server = await testServer()
    await loggedIn(server)
    for (const origin of ['https://evil.test', 'null', `${server.url}.evil.test`, 'https://sub.lms.test']) {
      for (const [path, method] of [
        ['/token', 'POST'],
        ['/token', 'OPTIONS'],
        ['/userinfo', 'GET'],
        ['/userinfo', 'OPTIONS'],
        ['/introspect', 'OPTIONS'],
      ] as const) {
        const headers = await asked(server, path, origin, method)
        expect(headers.get('access-control-allow-origin')).toBeNull()
        expect(headers.get('access-control-allow-credentials')).toBeNull()
      }
    }
    const own = await asked(server, '/token', 'https://lms.test', 'OPTIONS')
    expect(own.get('access-control-allow-origin')).toBe('https://lms.test')
    const keys = await asked(server, '/jwks', 'https://evil.test')
    expect(keys.get('access-control-allow-origin')).toBe('*')
  })
})

test.each(['/logout/success', '/logout/confirm', '/LOGOUT', '/Device', '/device/abcdefghij', '/unknown'])(
  '%s is no page of ours',
  async (path) => {
    const server = await testServer()
    await addPerson(server, { account: 'lilei' })
    const browser = await logIn(server, 'lilei')
    const answer = await browser.get(OIDC + path)
    expect(answer.status).toBe(404)
    expect(answer.text).toContain('<a href="/auth_web/">')
  },
)

test('too many wrong tokens block only anonymous calls of that address; proved secrets and logged-in people continue', async () => {
  const server = await testServer(BEHIND_PROXY)
  await addPerson(server, { account: 'lilei' })
  const client = await addClient(server, { appId: 'lms' })
  const { access_token } = await obtainTokens(await logIn(server, 'lilei'), client)
  const ask = (token: string, address: string) =>
    fetch(`${server.url}${OIDC}/userinfo`, {
      headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': address },
    }).then(({ status }) => status)
  for (let i = 0; i < 600; i += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, at) => ask(`AT-${i + at}`, '203.0.113.9')))
  }
  expect(await ask('AT-more', '203.0.113.9')).toBe(429)
  const ticket = await fetch(
    `${server.url}/fwk_cas_service/p3/serviceValidate?service=https%3A%2F%2Fa.test&ticket=ST-1`,
    {
      headers: { 'x-forwarded-for': '203.0.113.9' },
    },
  )
  expect(ticket.status).toBe(429)
  // A slow machine needs some of the minute for the guesses themselves.
  expect(Number(ticket.headers.get('retry-after'))).toBeGreaterThan(30)
  expect(await ask(access_token, '198.51.100.7')).toBe(200)
  const there = { 'x-forwarded-for': '203.0.113.9' }
  const introspection = (client: Client) => post(client, `${OIDC}/introspect`, { token: access_token }, there)
  expect((await introspection(client)).body).toMatchObject({ active: true })
  expect((await introspection({ ...client, secret: 'wrong' })).status).toBe(429)
  const entering = await fetch(server.url + authorizePath(client), { headers: there, redirect: 'manual' })
  expect(entering.headers.get('location')).toContain('/auth_web/login?service=')
  server.advance(61)
  expect(await ask(access_token, '203.0.113.9')).toBe(200)
})
