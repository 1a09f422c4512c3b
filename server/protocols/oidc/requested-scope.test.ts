import { expect, test } from 'vitest'
import { createBrowser } from '../../testing/browser.ts'
import { addPerson, logIn, postLogin } from '../../testing/people.ts'
import {
  addClient,
  authorize,
  authorizePath,
  OIDC,
  obtainTokens,
  post,
  redeem,
  returned,
  userinfo,
} from '../../testing/relying-party.ts'
import { type TestServer, testServer } from '../../testing/server.ts'

async function loggedIn(server: TestServer, application = {}) {
  await addPerson(server, { account: 'lilei', name: 'Li Lei', mailbox: 'lilei@example.edu' })
  const client = await addClient(server, { appId: 'wiki', scopes: ['openid', 'email'], ...application })
  return { client, browser: await logIn(server, 'lilei') }
}

test('a request that names no scope gets what its application is registered with', async () => {
  const server = await testServer()
  const { client, browser } = await loggedIn(server)
  for (const scope of [undefined, '']) {
    const tokens = await obtainTokens(browser, client, { scope })
    expect(tokens.scope).toBe('openid email')
    expect((await userinfo(server, tokens.access_token)).body).toMatchObject({ email: 'lilei@example.edu' })
  }
})

test.each([
  ['none', undefined, 'openid email'],
  ['offline_access', 'openid offline_access', 'openid offline_access'],
])('a pushed request with %s is read the same way', async (_what, scope, granted) => {
  const server = await testServer()
  const { client, browser } = await loggedIn(server)
  const [, query = ''] = authorizePath(client, { scope, nonce: undefined }).split('?')
  const fields = Object.fromEntries(new URLSearchParams(query))
  const { body } = await post<{ request_uri: string }>(client, `${OIDC}/par`, fields)
  const path = `${OIDC}/authorize?client_id=wiki&request_uri=${encodeURIComponent(body.request_uri)}`
  const code = returned(await browser.get(path))['code']
  expect((await redeem(client, code)).body.scope).toBe(granted)
})

test('the requested scopes are kept with the request while the person logs in', async () => {
  const server = await testServer()
  const { client } = await loggedIn(server)
  const browser = createBrowser(server)
  const { location } = await authorize(browser, client, { scope: 'openid offline_access' })
  const service = new URL(location).searchParams.get('service') ?? ''
  const back = await browser.get((await postLogin(browser, { username: 'lilei' }, { service })).location)
  expect((await redeem(client, returned(back)['code'])).body.scope).toBe('openid offline_access')
})

test('discovery names offline_access', async () => {
  const server = await testServer()
  const answer = await fetch(`${server.url}${OIDC}/.well-known/openid-configuration`)
  expect(await answer.json()).toMatchObject({ scopes_supported: expect.arrayContaining(['openid', 'offline_access']) })
})
