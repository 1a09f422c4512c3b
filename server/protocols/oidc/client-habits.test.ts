import { decodeJwt } from 'jose'
import * as openid from 'openid-client'
import { describe, expect, test } from 'vitest'
import { applyBootstrap } from '../../features/bootstrap/index.ts'
import { createBrowser } from '../../testing/browser.ts'
import { addPerson, logIn, postLogin } from '../../testing/people.ts'
import {
  addClient,
  authorize,
  authorizePath,
  introspect,
  OIDC,
  obtainTokens,
  post,
  redeem,
  returned,
  SECRET,
  token,
} from '../../testing/relying-party.ts'
import { type TestServer, testServer } from '../../testing/server.ts'

async function loggedIn(server: TestServer, application: Partial<Parameters<typeof addClient>[1]> = {}) {
  await addPerson(server, { account: 'lilei' })
  await addPerson(server, { account: 'hanmei' })
  const client = await addClient(server, { appId: 'lms', ...application })
  return { client, browser: await logIn(server, 'lilei') }
}

const basic = { authorization: `Basic ${Buffer.from(`lms:${encodeURIComponent(SECRET)}`).toString('base64')}` }

describe('metadata (RFC 8414)', () => {
  test.each(['oauth-authorization-server', 'openid-configuration'])(
    '%s stands before the path of the issuer and behind it',
    async (name) => {
      const server = await testServer()
      for (const path of [`/.well-known/${name}${OIDC}`, `${OIDC}/.well-known/${name}`]) {
        const answer = await fetch(server.url + path)
        expect(answer.headers.get('access-control-allow-origin')).toBe('*')
        expect(await answer.json()).toMatchObject({ issuer: `${server.url}${OIDC}` })
      }
    },
  )

  test('is found by a client that speaks OAuth 2.0 alone', async () => {
    const server = await testServer()
    await addClient(server, { appId: 'lms' })
    const config = await openid.discovery(new URL(`${server.url}${OIDC}`), 'lms', SECRET, undefined, {
      algorithm: 'oauth2',
      execute: [openid.allowInsecureRequests],
    })
    expect(config.serverMetadata().token_endpoint).toBe(`${server.url}${OIDC}/token`)
  })
})

describe('an application on a person’s own device', () => {
  const desktop = { clientSecret: null, redirectUris: ['http://127.0.0.1/callback', 'http://[::1]:3000/callback?x=1'] }

  test.each(['http://127.0.0.1:53122/callback', 'http://127.0.0.1/callback', 'http://[::1]:61000/callback?x=1'])(
    'gets its code at %s: it learns its port when it starts',
    async (redirectUri) => {
      const server = await testServer()
      const { client, browser } = await loggedIn(server, desktop)
      const tokens = await obtainTokens(browser, { ...client, redirectUri })
      expect(tokens.access_token).toBeTruthy()
    },
  )

  test.each([
    'http://127.0.0.1:53122/other',
    'http://127.0.0.1:53122/callback?x=1',
    'http://localhost:53122/callback',
    'http://127.0.0.2:53122/callback',
    'http://127.0.0.1:99999/callback',
    'http://127.0.0.1:53122@evil.test/callback',
    'http://127.0.0.1:53122.evil.test/callback',
    'https://127.0.0.1:53122/callback',
  ])('gets no code at %s', async (redirectUri) => {
    const server = await testServer()
    const { client, browser } = await loggedIn(server, desktop)
    const answer = await authorize(browser, client, { redirect_uri: redirectUri })
    expect([answer.status, answer.location]).toEqual([400, ''])
  })

  test('may be led there by the form that logs in', async () => {
    const server = await testServer()
    const { client } = await loggedIn(server, desktop)
    const { location } = await authorize(createBrowser(server), client)
    const page = await createBrowser(server).get(location)
    expect(page.headers.get('content-security-policy')).toContain('http://127.0.0.1:*')
  })

  test('with a secret is a server, whose address is exact', async () => {
    const server = await testServer()
    const { client, browser } = await loggedIn(server, { redirectUris: ['http://127.0.0.1:3000/callback'] })
    const answer = await authorize(browser, client, { redirect_uri: 'http://127.0.0.1:3001/callback' })
    expect([answer.status, answer.location]).toEqual([400, ''])
  })
})

test('prompt=select_account leads to the login page, where another person can log in', async () => {
  const server = await testServer()
  const { client, browser } = await loggedIn(server)
  const asked = await authorize(browser, client, { prompt: 'select_account' })
  const { pathname, searchParams } = new URL(asked.location)
  expect([pathname, searchParams.get('renew')]).toEqual(['/auth_web/login', 'true'])
  const form = { service: searchParams.get('service') ?? '', renew: 'true' }
  const back = await browser.get((await postLogin(browser, { username: 'hanmei' }, form)).location)
  const { body } = await redeem(client, returned(back)['code'])
  expect(decodeJwt(body.id_token ?? '').sub).toBe('hanmei')
  const silent = await authorize(browser, client, { prompt: 'none select_account' })
  expect(returned(silent)['error']).toBe('invalid_request')
})

test('what an application is not registered for is refused as unauthorized_client', async () => {
  const server = await testServer()
  const { client, browser } = await loggedIn(server, { grantTypes: ['client_credentials'] })
  for (const grant of ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code']) {
    const { status, body } = await token(client, { grant_type: grant, code: 'x', refresh_token: 'x', device_code: 'x' })
    expect([status, body.error]).toEqual([400, 'unauthorized_client'])
  }
  expect((await post(client, `${OIDC}/device_authorization`, {})).body['error']).toBe('unauthorized_client')
  expect(returned(await authorize(browser, client))['error']).toBe('unauthorized_client')
  expect((await token(client, { grant_type: 'made-up' })).body.error).toBe('unsupported_grant_type')
  expect((await token(client, { grant_type: 'client_credentials' })).status).toBe(200)
})

test('introspection of what is no token says that it is not active', async () => {
  const server = await testServer()
  const { client, browser } = await loggedIn(server)
  const { id_token = '' } = await obtainTokens(browser, client)
  for (const text of [id_token, 'nonsense', 'AT-', 'eyJhbGciOiJub25lIn0.e30.', '中文', 'x'.repeat(20_000)]) {
    const { status, body } = await introspect(client, text)
    expect([status, body]).toEqual([200, { active: false }])
  }
  expect((await introspect({ ...client, secret: 'wrong' }, id_token)).status).toBe(401)
})

test.each(['/oidc/revoke', '/oidc/token', '/oidc/introspect', '/oauth2.0/revoke', '/oauth2.0/accessToken'])(
  '%s answers a request without body and content type in the words of OAuth',
  async (path) => {
    const server = await testServer()
    await addClient(server, { appId: 'lms' })
    const address = `${server.url}/fwk_cas_service${path}`
    for (const body of [undefined, '', new ReadableStream({ start: (it) => it.close() })]) {
      const answer = await fetch(address, {
        method: 'POST',
        headers: basic,
        ...(body !== undefined && { body, duplex: 'half' }),
      })
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({ error: 'invalid_request' })
    }
  },
)

test('a revocation answers with nothing, which has no type', async () => {
  const server = await testServer()
  const { client, browser } = await loggedIn(server)
  const { access_token } = await obtainTokens(browser, client)
  for (const path of ['/oidc/revoke', '/oauth2.0/revoke']) {
    const { status, headers } = await post(client, `/fwk_cas_service${path}`, { token: access_token })
    expect([status, headers.get('content-type'), headers.get('content-length')]).toEqual([200, null, '0'])
  }
})

test('a window of its own keeps its opener from the application to the login page and back', async () => {
  const server = await testServer()
  const { client } = await loggedIn(server)
  const browser = createBrowser(server)
  const policy = ({ headers }: { headers: Headers }) => headers.get('cross-origin-opener-policy')
  const asked = await authorize(browser, client)
  const page = await browser.get(asked.location)
  const service = new URL(asked.location).searchParams.get('service') ?? ''
  const posted = await postLogin(browser, { username: 'lilei' }, { service })
  const back = await browser.get(posted.location)
  expect([asked, page, posted, back].map(policy)).toEqual(Array(4).fill('unsafe-none'))
  for (const path of ['/auth_web/my-apps', '/auth_web/', '/auth_web/login-records', '/auth_service/openapi.json']) {
    expect(policy(await browser.get(path))).toBe('same-origin')
  }
})

describe('response types at the addresses of the CAS family', () => {
  const ask = (server: TestServer, type: string | undefined, appId: string) => {
    const query = authorizePath(
      { server, id: appId, secret: SECRET, redirectUri: `https://${appId}.test/callback` },
      {
        response_type: type,
        scope: undefined,
        nonce: undefined,
      },
    )
    return `/fwk_cas_service/oauth2.0/authorize?${query.split('?')[1]}`
  }

  test('code is the one where none is named, and case does not matter', async () => {
    const server = await testServer()
    const { client, browser } = await loggedIn(server)
    for (const type of [undefined, '', 'CODE', 'code']) {
      const { status } = await redeem(client, returned(await browser.get(ask(server, type, 'lms')))['code'])
      expect(status).toBe(200)
    }
  })

  test('token is for applications that are registered for it', async () => {
    const server = await testServer()
    const { browser } = await loggedIn(server)
    expect(returned(await browser.get(ask(server, 'token', 'lms')))).not.toHaveProperty('access_token')
    await addClient(server, { appId: 'old', grantTypes: ['implicit'] })
    const { location } = await browser.get(ask(server, 'TOKEN', 'old'))
    const fragment = new URLSearchParams(location.split('#')[1])
    const answer = await fetch(
      `${server.url}/fwk_cas_service/oauth2.0/profile?access_token=${fragment.get('access_token')}`,
    )
    expect(await answer.json()).toMatchObject({ id: 'lilei' })
  })
})

test('a client secret that no client could send is refused where it is given', async () => {
  const server = await testServer()
  const apply = (clientSecret: string) =>
    applyBootstrap(
      server.platform,
      { applications: [{ appId: 'x', name: 'X', protocol: 'oauth2', clientId: 'x', clientSecret }] },
      { source: 'test' },
    )
  for (const secret of ['密码密码密码', 'smørrebrød', 'tab\there']) {
    await expect(apply(secret)).rejects.toThrow(/applications\[0\].clientSecret: .*ASCII/)
  }
  await expect(apply(' ~printable & more%20')).resolves.toBeTruthy()
})
