import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose'
import { expect, test } from 'vitest'
import { applyBootstrap } from '../../features/bootstrap/index.ts'
import { addPerson, logIn, PASSWORD } from '../../testing/people.ts'
import { openPortal } from '../../testing/portal.ts'
import {
  addClient,
  authorize,
  type Client,
  introspect,
  OIDC,
  post,
  refresh,
  token,
  userinfo,
} from '../../testing/relying-party.ts'
import { reauthenticate, setUpApp } from '../../testing/second-factors.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { BEHIND_PROXY, setPolicy } from '../../testing/sign-in.ts'

const DEMO = { env: { DEMO: '1' } }
const PASSWORD_GRANTS = ['password' as const, 'refresh_token' as const]

async function trusted(server: TestServer, application = {}) {
  await addPerson(server, { account: 'lilei', mailbox: 'lilei@example.edu' })
  return addClient(server, { appId: 'desk', grantTypes: PASSWORD_GRANTS, ...application })
}

const byPassword = (client: Client, fields: Record<string, string> = {}) =>
  token(client, { grant_type: 'password', username: 'lilei', password: PASSWORD, scope: 'openid email', ...fields })

const discovery = async (server: TestServer) =>
  (await (await fetch(`${server.url}${OIDC}/.well-known/openid-configuration`)).json()) as Record<string, string[]>

test('discovery lists a weak grant only while an application is registered for it', async () => {
  const server = await testServer()
  const before = await discovery(server)
  expect(before['response_types_supported']).toEqual(['code'])
  expect(before['grant_types_supported']).not.toContain('password')
  expect(before['grant_types_supported']).not.toContain('implicit')
  await trusted(server)
  await addClient(server, { appId: 'old', grantTypes: ['implicit'] })
  const after = await discovery(server)
  expect(after['grant_types_supported']).toEqual(expect.arrayContaining(['password', 'implicit']))
  expect(after['response_types_supported']).toEqual(expect.arrayContaining(['code', 'id_token', 'id_token token']))
})

test('an application registered for it gets tokens for a password, on a session that ends like any other', async () => {
  const server = await testServer()
  const client = await trusted(server)
  const { status, body } = await byPassword(client)
  expect(status).toBe(200)
  expect(body.scope).toBe('openid email')
  const keys = createRemoteJWKSet(new URL(`${server.url}${OIDC}/jwks`))
  const { payload } = await jwtVerify(body.id_token ?? '', keys, {
    audience: client.id,
    issuer: `${server.url}${OIDC}`,
  })
  expect(payload.sub).toBe('lilei')
  const claims = { sub: 'lilei', email: 'lilei@example.edu', email_verified: true }
  expect((await userinfo(server, body.access_token)).body).toEqual(claims)
  const next = await refresh(client, body.refresh_token)
  expect(next.status).toBe(200)
  const { sql } = server.platform
  expect(await sql`select from login_records where succeeded and auth_type = 'user'`).toHaveLength(1)
  expect(await sql`select from visit_records`).toHaveLength(1)
  await sql`update users set frozen_from = now() - interval '1 day'`
  expect((await introspect(client, next.body.access_token)).body).toEqual({ active: false })
  expect((await byPassword(client)).body.error).toBe('invalid_grant')
})

test('a wrong password, a person who must change it or may not enter: no token and no session', async () => {
  const server = await testServer()
  const client = await trusted(server, { type: 'system', authorized: { users: ['lilei'] } })
  await addPerson(server, { account: 'newcomer', mustChangePassword: true })
  await addPerson(server, { account: 'stranger' })
  for (const fields of [
    { password: 'wrong' },
    { username: 'newcomer' },
    { username: 'stranger' },
    { username: 'nobody' },
  ]) {
    const { status, body } = await byPassword(client, fields)
    expect([status, body.error]).toEqual([400, 'invalid_grant'])
  }
  expect(await server.platform.sql`select from sso_sessions where ended_at is null`).toEqual([])
  expect((await byPassword(client, { password: '' })).body.error).toBe('invalid_request')
})

test('guessing by this grant locks the name like any other method', async () => {
  const server = await testServer()
  const client = await trusted(server)
  for (let i = 0; i < 5; i++) await byPassword(client, { password: `wrong ${i}` })
  expect((await byPassword(client)).body.error).toBe('invalid_grant')
})

test('the application’s server becomes no known device: it gets no cookie, and the person’s own devices stay', async () => {
  const server = await testServer()
  const client = await trusted(server)
  await logIn(server, 'lilei')
  const devices = () => server.platform.sql`select device_hash from known_devices`
  const before = await devices()
  const { status, headers } = await byPassword(client)
  expect(status).toBe(200)
  expect(headers.getSetCookie()).toEqual([])
  expect(await devices()).toEqual(before)
})

test('where nobody may log in with a password, this grant is closed too', async () => {
  const server = await testServer(DEMO)
  const client = await trusted(server)
  await setPolicy(server, { loginTypes: ['captcha'] })
  expect((await byPassword(client)).body.error).toBe('invalid_grant')
})

test('a person with an authenticator app is not logged in by a password alone, and nothing of that login stays pending', async () => {
  const server = await testServer()
  const client = await trusted(server)
  const [person] = await server.platform.sql<{ id: string }[]>`select id from users where account = 'lilei'`
  const page = await openPortal(server, { userId: person?.id ?? '' })
  await reauthenticate(page)
  await setUpApp(server, page)
  const { status, body, headers } = await byPassword(client)
  expect([status, body.error]).toEqual([400, 'invalid_grant'])
  expect(headers.getSetCookie()).toEqual([])
})

test('where a rule requires a second factor off campus, a password sent from there is not enough', async () => {
  const server = await testServer(BEHIND_PROXY)
  const client = await trusted(server)
  const { sql } = server.platform
  await sql`insert into ip_ranges (id, name, kind, networks, updated_at) values (gen_random_uuid(), 'campus', 'campus', '{10.0.0.0/8}', now())`
  await setPolicy(server, { secondFactorOffCampus: true })
  const from = (address: string) =>
    post<{ error?: string }>(
      client,
      `${OIDC}/token`,
      { grant_type: 'password', username: 'lilei', password: PASSWORD },
      { 'x-forwarded-for': address },
    )
  expect((await from('203.0.113.9')).body.error).toBe('invalid_grant')
  expect(await sql`select from sso_sessions where ended_at is null`).toEqual([])
  expect((await from('10.1.2.3')).status).toBe(200)
})

test('an application that requires consent gets for a password only what the person consented to', async () => {
  const server = await testServer()
  const client = await trusted(server, { consent: 'explicit' })
  expect((await byPassword(client)).body.error).toBe('invalid_grant')
  const { sql } = server.platform
  await sql`
    insert into consents (user_id, application_id, scopes, given_at)
    select u.id, a.id, '{openid}', now() from users u, applications a where u.account = 'lilei' and a.app_id = 'desk'`
  const { status, body } = await byPassword(client)
  expect([status, body.scope]).toEqual([200, 'openid'])
  expect((await userinfo(server, body.access_token)).body).toEqual({ sub: 'lilei' })
  expect(await sql`select from sso_sessions where ended_at is null`).toHaveLength(1)
})

test('an application registered for the implicit flow gets its tokens in the fragment', async () => {
  const server = await testServer()
  await addPerson(server, { account: 'lilei' })
  const client = await addClient(server, { appId: 'old', grantTypes: ['implicit'] })
  const browser = await logIn(server, 'lilei')
  const answer = await authorize(browser, client, { response_type: 'id_token token', scope: 'openid profile' })
  const [address, fragment] = answer.location.split('#')
  expect(address).toBe('https://old.test/callback')
  const back = Object.fromEntries(new URLSearchParams(fragment))
  expect(decodeJwt(back['id_token'] ?? '').sub).toBe('lilei')
  expect((await userinfo(server, back['access_token'] ?? '')).body).toMatchObject({ sub: 'lilei' })
  expect(await server.platform.sql`select from session_clients`).toHaveLength(1)
  const code = await authorize(browser, client)
  expect(code.location).toContain('error=unauthorized_client')
})

test('a registration with a weak grant that can only go wrong is refused', async () => {
  const server = await testServer()
  const entry = { appId: 'x', name: 'X', protocol: 'oauth2' as const, clientId: 'x' }
  const apply = (more: object) =>
    applyBootstrap(server.platform, { applications: [{ ...entry, ...more }] }, { source: 'test' })
  await expect(apply({ grantTypes: ['password'] })).rejects.toThrow(/applications\[0\].grantTypes: .*clientSecret/)
  const plain = { grantTypes: ['implicit'], redirectUris: ['http://x.test/callback'] }
  await expect(apply(plain)).rejects.toThrow(/applications\[0\].redirectUris: .*https/)
})
