import {
  createLocalJWKSet,
  createRemoteJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  type JSONWebKeySet,
  type JWK,
  jwtVerify,
  SignJWT,
} from 'jose'
import { describe, expect, test } from 'vitest'
import { CustomField } from '#shared/contract/custom-fields.ts'
import { applyBootstrap } from '../../features/bootstrap/index.ts'
import { rotateSigningKeys } from '../../features/signing-keys/index.ts'
import { systemContext } from '../../platform/platform.ts'
import { ticketFor, validateP3 } from '../../testing/cas.ts'
import { listen } from '../../testing/listener.ts'
import { addCasApplication, addPerson, changeApplication, logIn } from '../../testing/people.ts'
import { addClient, authorize, OIDC, obtainTokens, returned, userinfo } from '../../testing/relying-party.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { setFieldRules } from '../../testing/sign-in.ts'

async function loggedIn(server: TestServer, application = {}) {
  const lilei = { account: 'lilei', name: 'Li Lei', phone: '13800000001', mailbox: 'lilei@example.edu' }
  await addPerson(server, lilei)
  const client = await addClient(server, { appId: 'lms', ...application })
  return { client, browser: await logIn(server, 'lilei') }
}

const keysOf = async (server: TestServer) =>
  (await (await fetch(`${server.url}${OIDC}/jwks`)).json()) as JSONWebKeySet & { keys: [JWK] }

describe('claims', () => {
  test('are what the application lists, under its names, with fixed values; more scopes give no more', async () => {
    const server = await testServer()
    const attributes = [
      { name: 'cn', from: 'name' as const },
      { name: 'tier', value: 'gold' },
    ]
    const { client, browser } = await loggedIn(server, { attributes })
    const tokens = await obtainTokens(browser, client, { scope: 'openid profile email phone roles unknown' })
    const { body } = await userinfo(server, tokens.access_token)
    expect(body).toEqual({ sub: 'lilei', name: 'Li Lei', cn: 'Li Lei', tier: 'gold' })
    expect(decodeJwt(tokens.id_token ?? '')).toMatchObject(body)
  })

  test('are also what a custom field says about the person, in the ID token and whenever the client asks', async () => {
    const server = await testServer()
    const attributes = [{ name: 'room', from: 'custom.dorm' as const }]
    const { client, browser } = await loggedIn(server, { attributes })
    await setFieldRules(server, { custom: [CustomField.parse({ key: 'dorm', kind: 'text', name: 'Dormitory' })] })
    await server.platform.sql`update users set custom_values = '{"dorm": "7-1"}' where account = 'lilei'`
    const tokens = await obtainTokens(browser, client, { scope: 'openid' })
    expect(decodeJwt(tokens.id_token ?? '')).toMatchObject({ room: '7-1' })
    expect((await userinfo(server, tokens.access_token)).body).toEqual({ sub: 'lilei', room: '7-1' })
  })

  test('of the institution: organisation, category, personnel type and roles by their scopes, the same in CAS', async () => {
    const server = await testServer()
    const school = {
      organizations: [{ code: 'cs', name: 'Computing' }],
      userCategories: [{ code: 'staff', name: 'Staff' }],
      personnelTypes: [{ code: 'contract', name: 'On contract' }],
      roles: [{ code: 'head', name: 'Head' }],
    }
    await applyBootstrap(server.platform, school, { source: 'test' })
    const places = { organization: 'cs', category: 'staff', personnelType: 'contract', roles: ['head'] }
    await addPerson(server, { account: 'hanmei', ...places })
    const scopes = ['openid', 'account', 'organization', 'category', 'personnel_type', 'roles']
    const client = await addClient(server, { appId: 'lms', scopes })
    const browser = await logIn(server, 'hanmei')
    const { access_token } = await obtainTokens(browser, client, { scope: scopes.join(' ') })
    expect((await userinfo(server, access_token)).body).toEqual({
      sub: 'hanmei',
      account: 'hanmei',
      organization: 'Computing',
      organization_code: 'cs',
      category: 'Staff',
      category_code: 'staff',
      personnel_type: 'On contract',
      personnel_type_code: 'contract',
      roles: ['head'],
    })
    await addCasApplication(server, { appId: 'library', attributes: ['personnelType', 'personnelTypeCode'] })
    const home = 'https://library.test/'
    const { text } = await validateP3(server, home, await ticketFor(browser, home))
    expect(text).toContain('<cas:personnelType>On contract</cas:personnelType>')
    expect(text).toContain('<cas:personnelTypeCode>contract</cas:personnelTypeCode>')
  })

  test('asked for by name are given within the scopes of the application', async () => {
    const server = await testServer()
    const { client, browser } = await loggedIn(server, { scopes: ['openid', 'email'] })
    const claims = JSON.stringify({
      userinfo: { email: { essential: true }, phone_number: null },
      id_token: { email: null },
    })
    const tokens = await obtainTokens(browser, client, { claims })
    expect((await userinfo(server, tokens.access_token)).body).toEqual({ sub: 'lilei', email: 'lilei@example.edu' })
    expect(decodeJwt(tokens.id_token ?? '')).toHaveProperty('email')
  })

  test('name a person by the registered attribute, or by a value that no two applications share', async () => {
    const server = await testServer()
    const { client, browser } = await loggedIn(server, { userAttribute: 'mailbox' })
    const other = await addClient(server, { appId: 'other' })
    expect(decodeJwt((await obtainTokens(browser, client)).id_token ?? '').sub).toBe('lilei@example.edu')
    await changeApplication(server, 'lms', { subject_type: 'pairwise' })
    await changeApplication(server, 'other', { subject_type: 'pairwise' })
    const one = decodeJwt((await obtainTokens(browser, client)).id_token ?? '').sub
    const two = decodeJwt((await obtainTokens(browser, other)).id_token ?? '').sub
    expect(one).not.toBe(two)
    expect(one).not.toContain('lilei')
    expect(decodeJwt((await obtainTokens(browser, client)).id_token ?? '').sub).toBe(one)
  })
})

describe('signing keys', () => {
  test('change while what the old one signed stays good; both are listed, no private part anywhere', async () => {
    const server = await testServer()
    const { client, browser } = await loggedIn(server)
    const before = (await obtainTokens(browser, client)).id_token ?? ''
    await rotateSigningKeys(systemContext(server.platform), server.platform.now())
    const after = (await obtainTokens(browser, client)).id_token ?? ''
    expect(decodeProtectedHeader(after).kid).not.toBe(decodeProtectedHeader(before).kid)
    const jwks = await keysOf(server)
    for (const token of [before, after]) await jwtVerify(token, createLocalJWKSet(jwks))
    expect(jwks.keys).toHaveLength(4)
    expect(JSON.stringify(jwks)).not.toMatch(/"(d|p|q|dp|dq|qi)":/)
    server.advance(31 * 24 * 3600)
    await server.platform.cache.invalidate(server.platform.sql, 'signing-keys')
    await expect.poll(async () => (await keysOf(server)).keys).toHaveLength(2)
  })

  test('announced ones are listed at once and sign from their day on', async () => {
    const server = await testServer()
    const { client, browser } = await loggedIn(server)
    const kid = async () => decodeProtectedHeader((await obtainTokens(browser, client)).id_token ?? '').kid
    const first = await kid()
    await rotateSigningKeys(systemContext(server.platform), new Date(server.platform.now().getTime() + 60_000))
    expect(await kid()).toBe(first)
    server.advance(61)
    expect(await kid()).not.toBe(first)
  })

  test('an application may have its ID tokens signed with ES256', async () => {
    const server = await testServer()
    const { client, browser } = await loggedIn(server)
    await changeApplication(server, 'lms', { id_token_alg: 'ES256' })
    const { id_token = '' } = await obtainTokens(browser, client)
    expect(decodeProtectedHeader(id_token).alg).toBe('ES256')
    await jwtVerify(id_token, createRemoteJWKSet(new URL(`${server.url}${OIDC}/jwks`)))
  })

  test('nothing in the header of a token is followed', async () => {
    const evil = await listen()
    const server = await testServer()
    const { client, browser } = await loggedIn(server)
    const { id_token = '' } = await obtainTokens(browser, client)
    const jwks = await keysOf(server)
    const [header = '', payload = ''] = id_token.split('.')
    const claims = decodeJwt(id_token)
    const publicKey = new TextEncoder().encode(JSON.stringify(jwks.keys[0]))
    const hmac = (fields: object) => new SignJWT(claims).setProtectedHeader({ alg: 'HS256', ...fields }).sign(publicKey)
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    const hints = [
      `${none}.${payload}.`,
      `${header}.${payload}.`,
      await hmac({}),
      await hmac({ kid: "../../etc/passwd' or 1=1 --" }),
      await hmac({ jku: `${evil.url}/jwks`, x5u: `${evil.url}/x5u` }),
      await hmac({ jwk: jwks.keys[0], kid: decodeProtectedHeader(id_token).kid }),
      'a.b.c.d.e',
    ]
    for (const hint of hints) {
      const answer = await authorize(browser, client, { id_token_hint: hint })
      expect(returned(answer)['error'] ?? 'none').toBe('invalid_request')
    }
    expect((await userinfo(server, id_token)).status).toBe(401)
    expect(evil.heard).toEqual([])
  })
})
