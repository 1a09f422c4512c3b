import { decodeJwt } from 'jose'
import * as openid from 'openid-client'
import { expect, test } from 'vitest'
import { addPerson, changeApplication, logIn, PASSWORD } from '../../testing/people.ts'
import { addClient, authorize, OIDC, obtainTokens, refresh, SECRET, token } from '../../testing/relying-party.ts'
import { type TestServer, testServer } from '../../testing/server.ts'

const SCOPE = 'openid profile email'
const KNOWN = { name: 'Li Lei', preferred_username: 'lilei', email: 'lilei@example.edu', email_verified: true }

async function loggedIn(server: TestServer, application = {}) {
  await addPerson(server, { account: 'lilei', name: 'Li Lei', mailbox: 'lilei@example.edu' })
  const client = await addClient(server, { appId: 'blog', ...application })
  return { client, browser: await logIn(server, 'lilei') }
}

const read = (idToken: string | undefined) => decodeJwt(idToken ?? '')

test('a client that reads only the ID token finds name and mail there, at login and at refresh', async () => {
  const server = await testServer()
  const { client, browser } = await loggedIn(server)
  const config = await openid.discovery(new URL(`${server.url}${OIDC}`), client.id, SECRET, undefined, {
    execute: [openid.allowInsecureRequests],
  })
  const [state, nonce] = [openid.randomState(), openid.randomNonce()]
  const address = openid.buildAuthorizationUrl(config, {
    redirect_uri: client.redirectUri,
    scope: SCOPE,
    state,
    nonce,
  })
  const { location } = await browser.get(address.href)
  const checks = { expectedState: state, expectedNonce: nonce }
  const tokens = await openid.authorizationCodeGrant(config, new URL(location), checks)
  expect(tokens.claims()).toMatchObject(KNOWN)
  expect((await openid.refreshTokenGrant(config, tokens.refresh_token ?? '')).claims()).toMatchObject(KNOWN)
})

test('the ID token releases no more than userinfo: granted scopes, and the attributes that are listed', async () => {
  const server = await testServer()
  const { client, browser } = await loggedIn(server, { scopes: ['openid', 'email'] })
  const narrow = await obtainTokens(browser, client, { scope: SCOPE })
  expect(read(narrow.id_token)).toMatchObject({ email: 'lilei@example.edu' })
  expect(read(narrow.id_token)).not.toHaveProperty('name')
  const only = await refresh(client, narrow.refresh_token, { scope: 'openid' })
  expect(read(only.body.id_token)).not.toHaveProperty('email')

  const attributes = [
    { name: 'cn', from: 'name' as const },
    { name: 'tier', value: 'gold' },
    { name: 'events', value: 'x' },
  ]
  const listed = await addClient(server, { appId: 'listed', attributes })
  const claims = read((await obtainTokens(browser, listed, { scope: SCOPE })).id_token)
  expect(claims).toMatchObject({ sub: 'lilei', name: 'Li Lei', cn: 'Li Lei', tier: 'gold' })
  for (const name of ['email', 'events']) expect(claims).not.toHaveProperty(name)
})

test('disabled, the ID token contains the subject and no more', async () => {
  const server = await testServer()
  const { client, browser } = await loggedIn(server, { attributes: ['name', 'mailbox'] })
  await changeApplication(server, 'blog', { id_token_claims: false })
  const claims = read((await obtainTokens(browser, client, { scope: SCOPE })).id_token)
  expect(Object.keys(claims).sort()).toEqual(['aud', 'exp', 'iat', 'iss', 'nonce', 'sub'])
})

test('with the password and the implicit grant it is the same; an ID token alone always says it', async () => {
  const server = await testServer()
  await addPerson(server, { account: 'lilei', name: 'Li Lei', mailbox: 'lilei@example.edu' })
  const desk = await addClient(server, { appId: 'desk', grantTypes: ['password'] })
  const asked = () => token(desk, { grant_type: 'password', username: 'lilei', password: PASSWORD, scope: SCOPE })
  expect(read((await asked()).body.id_token)).toMatchObject(KNOWN)
  const old = await addClient(server, { appId: 'old', grantTypes: ['implicit'] })
  const browser = await logIn(server, 'lilei')
  const fragment = async (responseType: string) => {
    const { location } = await authorize(browser, old, { response_type: responseType, scope: SCOPE })
    return read(new URLSearchParams(location.split('#')[1]).get('id_token') ?? '')
  }
  expect(await fragment('id_token token')).toMatchObject(KNOWN)
  for (const appId of ['desk', 'old']) await changeApplication(server, appId, { id_token_claims: false })
  expect(read((await asked()).body.id_token)).not.toHaveProperty('email')
  expect(await fragment('id_token token')).not.toHaveProperty('email')
  expect(await fragment('id_token')).toMatchObject(KNOWN)
})
