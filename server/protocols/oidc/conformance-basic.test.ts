import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify, UnsecuredJWT } from 'jose'
import * as openid from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Browser, createBrowser } from '../../testing/browser.ts'
import { addPerson, logIn, postLogin } from '../../testing/people.ts'
import {
  addClient,
  authorize,
  authorizePath,
  type Client,
  OIDC,
  obtainTokens,
  post,
  redeem,
  refresh,
  returned,
  SECRET,
  userinfo,
  VERIFIER,
} from '../../testing/relying-party.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

/** The modules of the OpenID Foundation's plan "Basic OP", by their original names. */
let server: TestServer
let client: Client
let browser: Browser

beforeAll(async () => {
  server = await startTestServer()
  await addPerson(server, { account: 'lilei', name: 'Li Lei', phone: '13800000001', mailbox: 'lilei@example.edu' })
  client = await addClient(server, {
    appId: 'basic',
    redirectUris: ['https://basic.test/callback', 'https://basic.test/second'],
  })
  browser = await logIn(server, 'lilei')
})

afterAll(() => server.close())

const configuration = () =>
  openid.discovery(new URL(`${server.url}${OIDC}`), client.id, SECRET, openid.ClientSecretBasic(SECRET), {
    execute: [openid.allowInsecureRequests],
  })

/** A whole flow through a certified client, which checks state, nonce, issuer, hashes and signature. */
async function certifiedFlow(parameters: Record<string, string> = {}) {
  const config = await configuration()
  const [state, nonce, verifier] = [openid.randomState(), openid.randomNonce(), openid.randomPKCECodeVerifier()]
  const address = openid.buildAuthorizationUrl(config, {
    redirect_uri: client.redirectUri,
    scope: 'openid',
    state,
    nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...parameters,
  })
  const { location } = await browser.get(address.href)
  const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
  return { config, tokens: await openid.authorizationCodeGrant(config, new URL(location), checks) }
}

const idTokenOf = async (parameters: Record<string, string | undefined>) =>
  decodeJwt((await obtainTokens(browser, client, parameters)).id_token ?? '')

describe('Basic OP', () => {
  test('Server, EnsureRequestWithValidPkceSucceeds', async () => {
    const { config, tokens } = await certifiedFlow()
    expect(await openid.fetchUserInfo(config, tokens.access_token, 'lilei')).toEqual({ sub: 'lilei' })
  })

  test('ResponseTypeMissing', async () => {
    const answer = await authorize(browser, client, { response_type: undefined })
    expect(returned(answer)['error'] ?? 'invalid_request').toBe('invalid_request')
    expect(returned(answer)).not.toHaveProperty('code')
  })

  test('IdTokenSignature, IdTokenUnsigned', async () => {
    const { id_token = '' } = await obtainTokens(browser, client)
    expect(decodeProtectedHeader(id_token)).toMatchObject({ alg: 'RS256' })
    expect(decodeProtectedHeader(id_token).kid).toBeTruthy()
    await jwtVerify(id_token, createRemoteJWKSet(new URL(`${server.url}${OIDC}/jwks`)), { audience: 'basic' })
    expect(() => UnsecuredJWT.decode(id_token)).toThrow()
  })

  test('UserInfoGet, UserInfoPostHeader, UserInfoPostBody', async () => {
    const { access_token } = await obtainTokens(browser, client)
    const headers = { authorization: `Bearer ${access_token}` }
    const address = `${server.url}${OIDC}/userinfo`
    const answers = await Promise.all([
      fetch(address, { headers }),
      fetch(address, { method: 'POST', headers }),
      fetch(address, { method: 'POST', body: new URLSearchParams({ access_token }) }),
    ])
    for (const answer of answers) expect(await answer.json()).toEqual({ sub: 'lilei' })
  })

  test('EnsureRequestWithoutNonceSucceedsForCodeFlow', async () => {
    expect(await idTokenOf({ nonce: undefined })).not.toHaveProperty('nonce')
  })

  test.each([
    ['ScopeProfile', 'openid profile', ['name', 'preferred_username', 'sub']],
    ['ScopeEmail', 'openid email', ['email', 'email_verified', 'sub']],
    ['ScopePhone', 'openid phone', ['phone_number', 'phone_number_verified', 'sub']],
    ['ScopeAddress', 'openid address', ['sub']],
    [
      'ScopeAll',
      'openid profile email phone address',
      ['email', 'email_verified', 'name', 'phone_number', 'phone_number_verified', 'preferred_username', 'sub'],
    ],
  ])('%s', async (_module, scope, claims) => {
    const { access_token } = await obtainTokens(browser, client, { scope })
    expect(Object.keys((await userinfo(server, access_token)).body).sort()).toEqual(claims)
  })

  test('AlternateHappyFlow: a second redirect_uri', async () => {
    const second = { ...client, redirectUri: 'https://basic.test/second' }
    expect((await obtainTokens(browser, second)).id_token).toBeTruthy()
  })

  test.each([
    ['DisplayPage', { display: 'page' }],
    ['DisplayPopup', { display: 'popup' }],
    ['LoginHint', { login_hint: 'buffy@example.com' }],
    ['UiLocales', { ui_locales: 'se de' }],
    ['ClaimsLocales', { claims_locales: 'se' }],
    ['EnsureRequestWithUnknownParameterSucceeds', { extra: 'foobar' }],
    ['PromptNoneLoggedIn', { prompt: 'none' }],
    ['MaxAge10000', { max_age: '10000' }],
  ])('%s', async (_module, parameters: Record<string, string>) => {
    const { tokens } = await certifiedFlow(parameters)
    expect(tokens.claims()?.sub).toBe('lilei')
    if (parameters['max_age']) expect(tokens.claims()?.['auth_time']).toBeTypeOf('number')
  })

  test('EnsureRequestWithAcrValuesSucceeds', async () => {
    expect(await idTokenOf({ acr_values: '1 2' })).toMatchObject({ acr: '1' })
  })

  test('PromptNoneNotLoggedIn', async () => {
    const answer = await authorize(createBrowser(server), client, { prompt: 'none' })
    expect(returned(answer)['error']).toBe('login_required')
  })

  test.each([
    ['PromptLogin', { prompt: 'login' }],
    ['MaxAge1', { max_age: '1' }],
  ])('%s', async (_module, parameters) => {
    const before = Number((await idTokenOf({ max_age: '10000' }))['auth_time'])
    server.advance(2)
    const asked = await authorize(browser, client, parameters)
    const { searchParams } = new URL(asked.location)
    const form = { service: searchParams.get('service') ?? '', renew: 'true' }
    const back = await browser.get((await postLogin(browser, { username: 'lilei' }, form)).location)
    const { body } = await redeem(client, returned(back)['code'])
    expect(Number(decodeJwt(body.id_token ?? '')['auth_time'])).toBeGreaterThan(before)
  })

  test('IdTokenHint', async () => {
    const { id_token } = await obtainTokens(browser, client)
    expect(await idTokenOf({ prompt: 'none', id_token_hint: id_token })).toMatchObject({ sub: 'lilei' })
  })

  test('AuthCodeReuse, AuthCodeReuseAfter30Seconds', async () => {
    for (const seconds of [0, 31]) {
      const code = returned(await authorize(browser, client))['code']
      const { body } = await redeem(client, code)
      server.advance(seconds)
      expect((await redeem(client, code)).body.error).toBe('invalid_grant')
      expect((await userinfo(server, body.access_token)).status).toBe(401)
    }
  })

  test('EnsureRegisteredRedirectUri', async () => {
    const answer = await authorize(browser, client, { redirect_uri: 'https://basic.test/callback/other' })
    expect([answer.status, answer.location]).toEqual([400, ''])
  })

  test('EnsurePostRequestSucceeds', async () => {
    const [path = '', query] = authorizePath(client).split('?')
    const posted = await browser.post(path, Object.fromEntries(new URLSearchParams(query)))
    const answer = await browser.get(posted.location)
    expect((await redeem(client, returned(answer)['code'])).status).toBe(200)
  })

  test('ServerTestClientSecretPost', async () => {
    const code = returned(await authorize(browser, client))['code']
    const { status } = await redeem({ ...client, secret: null }, code, { client_secret: SECRET })
    expect(status).toBe(200)
  })

  test('RequestUriUnsignedSupportedCorrectlyOrRejectedAsUnsupported', async () => {
    const answer = await authorize(browser, client, { request_uri: 'https://basic.test/request.jwt' })
    expect(returned(answer)['error']).toBe('request_uri_not_supported')
  })

  test('UnsignedRequestObjectSupportedCorrectlyOrRejectedAsUnsupported, EnsureRequestObjectWithRedirectUri', async () => {
    const request = new UnsecuredJWT({ client_id: client.id, redirect_uri: client.redirectUri }).encode()
    expect(returned(await authorize(browser, client, { request }))['error']).toBe('request_not_supported')
  })

  test('ClaimsEssential', async () => {
    const claims = JSON.stringify({ userinfo: { name: { essential: true } } })
    const { access_token } = await obtainTokens(browser, client, { claims })
    expect((await userinfo(server, access_token)).body).toEqual({ sub: 'lilei', name: 'Li Lei' })
  })

  test('RefreshToken', async () => {
    const first = await obtainTokens(browser, client)
    const config = await configuration()
    const second = await openid.refreshTokenGrant(config, first.refresh_token ?? '')
    expect(second.claims()).toMatchObject({ sub: 'lilei', aud: 'basic' })
    const other = await addClient(server, { appId: 'second-client' })
    expect((await refresh(other, second.refresh_token)).body.error).toBe('invalid_grant')
  })

  test('pushed authorization requests are good for one authorization', async () => {
    const [, query] = authorizePath(client).split('?')
    const pushed = await post<{ request_uri: string }>(
      client,
      `${OIDC}/par`,
      Object.fromEntries(new URLSearchParams(query)),
    )
    expect(pushed.status).toBe(201)
    const path = `${OIDC}/authorize?client_id=basic&request_uri=${encodeURIComponent(pushed.body.request_uri)}`
    const code = returned(await browser.get(path))['code']
    expect((await redeem(client, code, { code_verifier: VERIFIER })).status).toBe(200)
    expect((await browser.get(path)).location).not.toContain('code=')
    const foreign = await post(client, `${OIDC}/par`, {
      ...Object.fromEntries(new URLSearchParams(query)),
      redirect_uri: 'https://evil.test/',
    })
    expect(foreign.status).toBe(400)
  })
})

describe('Config OP', () => {
  test('DiscoveryEndpointVerification', async () => {
    const config = (await configuration()).serverMetadata()
    expect(config.issuer).toBe(`${server.url}${OIDC}`)
    const addresses = Object.entries(config).filter(([name]) => /_endpoint$|_uri$/.test(name))
    expect(addresses.length).toBeGreaterThanOrEqual(9)
    for (const [, address] of addresses) expect(String(address)).toMatch(new RegExp(`^${server.url}${OIDC}/`))
    expect(config).toMatchObject({
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      subject_types_supported: ['public', 'pairwise'],
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
      authorization_response_iss_parameter_supported: true,
      claims_parameter_supported: true,
    })
    expect(config.id_token_signing_alg_values_supported).toContain('RS256')
    expect(config.scopes_supported).toContain('openid')
  })
})
