import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyBootstrap } from '../../features/bootstrap/index.ts'
import { createBrowser } from '../../testing/browser.ts'
import { type PresetName, presetSettings } from '../../testing/campus-id.presets.ts'
import type { CampusId } from '../../testing/campus-id.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { enterPortal } from '../../testing/sign-in.ts'
import {
  addCampusId,
  addLinkedPerson,
  addProvider,
  atProvider,
  loggedAttempt,
  pendingOf,
} from '../../testing/third-party.ts'

let server: TestServer
const lines: string[] = []
beforeAll(async () => {
  server = await startTestServer({ onLog: (line) => lines.push(line) })
})
afterAll(() => server.close())

/** A person linked to Li Lei at Campus ID. */
const bound = async () => (await addLinkedPerson(server)).user.account
const attempt = (user?: string) => loggedAttempt(server, lines, user ? { user } : {})

test.each(['plain', 'wrapped', 'camel', 'oidc'] as const)(
  'people log in through a system of the kind "%s"',
  async (preset) => {
    const campus = await addCampusId(server, { preset })
    await bound()
    expect(await attempt()).toMatchObject({ isIn: true, detail: '' })
    expect(await attempt('30000002')).toMatchObject({ isIn: false, status: 403 })
    const [row] = await server.platform.sql<{ subject: string; displayName: string; realm: string }[]>`
      select subject, display_name, realm from third_party_accounts`
    const realm = preset === 'oidc' ? `${campus.url}/oidc` : 'gatehouse'
    expect(row).toEqual({ subject: '30000001', displayName: 'Li Lei', realm })
  },
)

const tellings: [PresetName, 'used' | 'expired', string][] = [
  ['plain', 'used', 'refused: token 400 invalid_grant'],
  ['plain', 'expired', 'refused: token 400 invalid_grant'],
  ['wrapped', 'used', 'refused: token 200 40029'],
  ['oidc', 'expired', 'refused: token 400 invalid_grant'],
]
test.each(tellings)(
  '%s: a code that is %s is rejected, and the person may start again',
  async (preset, trouble, detail) => {
    const campus = await addCampusId(server, { preset })
    await bound()
    campus.trouble.token = trouble
    const told = await attempt()
    expect(told).toMatchObject({ isIn: false, status: 400, detail })
    expect(told.text).toContain('confirm who you are')
    campus.trouble = {}
    expect(await attempt()).toMatchObject({ isIn: true })
  },
)

test.each([
  ['token', 'error', 'unavailable: token 500'],
  ['user', 'error', 'unavailable: user 500'],
  ['discovery', 'error', 'unavailable: discovery 500'],
  ['keys', 'error', 'unavailable: keys 500'],
  ['token', 'garbage', 'unusable: token 200 without JSON'],
  ['user', 'garbage', 'unusable: user 200 without JSON'],
  ['keys', 'garbage', 'unusable: keys 200 without JSON'],
  ['token', 'redirect', 'unusable: token 302 without JSON'],
  ['token', 'endless', 'unusable: token UND_ERR_RES_EXCEEDED_MAX_SIZE'],
] as const)('a provider whose %s call answers with %s logs nobody in, and says so', async (step, trouble, detail) => {
  const campus = await addCampusId(server)
  await bound()
  await server.platform.cache.invalidate(server.platform.sql, 'connectors')
  campus.trouble[step] = trouble
  const told = await attempt()
  expect(told).toMatchObject({ isIn: false, status: 502 })
  expect(told.detail).toBe(detail)
})

const forgeries: [string, (campus: CampusId) => void, string][] = [
  ['signed by somebody else', ({ idToken }) => (idToken.signWith = 'foreign'), 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED'],
  ['not signed at all', ({ idToken }) => (idToken.signWith = 'none'), 'ERR_JOSE_ALG_NOT_ALLOWED'],
  ['signed with the client secret', ({ idToken }) => (idToken.signWith = 'secret'), 'ERR_JOSE_ALG_NOT_ALLOWED'],
  [
    'of another issuer',
    ({ idToken }) => (idToken.claims = { iss: 'https://evil.test' }),
    'ERR_JWT_CLAIM_VALIDATION_FAILED',
  ],
  ['for another client', ({ idToken }) => (idToken.claims = { aud: 'somebody' }), 'ERR_JWT_CLAIM_VALIDATION_FAILED'],
  ['for several, made for another', ({ idToken }) => (idToken.claims = { aud: ['gatehouse', 'x'], azp: 'x' }), 'azp'],
  ['for several, made for nobody', ({ idToken }) => (idToken.claims = { aud: ['gatehouse', 'x'] }), 'azp'],
  ['of another login', ({ idToken }) => (idToken.claims = { nonce: 'another' }), 'nonce'],
  ['too old', ({ idToken }) => (idToken.claims = { exp: 1_000_000_000 }), 'ERR_JWT_EXPIRED'],
  ['without an end', ({ idToken }) => (idToken.claims = { exp: undefined }), 'times'],
]
test.each(forgeries)('an ID token %s logs nobody in', async (_, forge, reason) => {
  const campus = await addCampusId(server)
  await bound()
  forge(campus)
  expect(await attempt()).toMatchObject({ isIn: false, status: 502, detail: `unusable: id token: ${reason}` })
})

test('ES256 works, and a key that is newer than our copy is fetched', async () => {
  const campus = await addCampusId(server)
  await bound()
  campus.idToken.alg = 'ES256'
  expect(await attempt()).toMatchObject({ isIn: true })
  campus.idToken.kid = 'next'
  campus.idToken.alg = 'RS256'
  const other = campus.keys.RS256
  campus.keys.RS256 = campus.keys.foreign
  campus.keys.foreign = other
  campus.keys.ES256 = campus.keys.RS256
  expect(await attempt()).toMatchObject({ isIn: true })
})

test.each([null, '', '0', 'null', 'undefined', 'None', 0, 1e21, ['30000001'], { id: 1 }, 'a\u0000b'])(
  'the id %j identifies nobody',
  async (id) => {
    const campus = await addCampusId(server, { preset: 'wrapped' })
    const account = await bound()
    campus.person = { id }
    expect(await attempt()).toMatchObject({ isIn: false, status: 502, detail: 'unusable: subject' })
    // Nor can it be linked: the next person without an id would be the same.
    const page = await enterPortal(server, account)
    await server.platform.sql`delete from third_party_accounts`
    await page.call('/reauthentication/submit/', { body: { method: 'password', answer: 'Correct-horse-9' } })
    expect(await pendingOf(page)).toBe('')
  },
)

test('a user call that answers about somebody else than the ID token logs nobody in', async () => {
  const campus = await addCampusId(server)
  await bound()
  campus.person = { sub: '30000002' }
  expect(await attempt()).toMatchObject({ isIn: false, detail: 'unusable: user: other subject' })
})

test('missing optional claims do no harm', async () => {
  const campus = await addCampusId(server)
  await bound()
  campus.person = { name: undefined, email: undefined, phone_number: undefined }
  expect(await attempt()).toMatchObject({ isIn: true })
})

test('a discovery document of another issuer, or with foreign hosts, is not used', async () => {
  const campus = await addCampusId(server)
  await bound()
  for (const [metadata, detail] of [
    [{ issuer: 'https://evil.test' }, 'unusable: discovery: issuer'],
    [{ token_endpoint: 'http://169.254.169.254/latest' }, 'unusable: discovery: origin'],
    [{ token_endpoint: 'http://localhost:1/token' }, 'unusable: discovery: origin'],
    [{ jwks_uri: 'file:///etc/passwd' }, 'unusable: discovery: address missing'],
  ] as const) {
    campus.metadata = metadata
    await server.platform.cache.invalidate(server.platform.sql, 'connectors')
    expect(await attempt()).toMatchObject({ isIn: false, detail })
  }
})

test('an answer of another issuer than the one requested is rejected', async () => {
  await addCampusId(server)
  await bound()
  const browser = createBrowser(server)
  const start = await browser.get('/auth_service/third_party/campus-id/login/')
  const back = await atProvider(start.location, { user: '30000001' })
  const answer = await browser.get(`${back.slice(server.url.length)}&iss=${encodeURIComponent('https://evil.test')}`)
  expect(answer.status).toBe(502)
})

test("the application's own token is fetched once for many logins, and again when it was invalidated elsewhere", async () => {
  const campus = await addCampusId(server, { preset: 'camel' })
  await bound()
  campus.calls = []
  const logins = await Promise.all(Array.from({ length: 5 }, () => attempt()))
  expect(logins.filter((one) => one.isIn)).toHaveLength(5)
  expect(campus.calls.filter((call) => call.includes('/token'))).toHaveLength(0)
  campus.tokens.clear()
  // Five minutes before its expiry it is renewed as well; now it was invalidated by somebody else.
  await attempt()
  expect(campus.calls.filter((call) => call.includes('/token'))).toHaveLength(1)
  campus.calls = []
  server.advance(7200 - 299)
  expect(await attempt()).toMatchObject({ isIn: true })
  expect(campus.calls.filter((call) => call.includes('/token'))).toHaveLength(1)
})

test('a wrong secret logs nobody in, and neither log nor answer contains secrets, codes or tokens', async () => {
  const campus = await addCampusId(server, { preset: 'plain' })
  await bound()
  await addProvider(server, campus, { preset: 'plain', settings: { clientSecret: 'a-wrong-secret-of-ours' } })
  const told = await attempt()
  expect(told).toMatchObject({ isIn: false, status: 400 })
  const all = lines.join('\n') + told.text
  for (const secret of ['a-wrong-secret-of-ours', ...campus.codes.keys(), ...campus.tokens.keys()]) {
    expect(all).not.toContain(secret)
  }
})

test('secrets are sealed in the database, and a file that is applied twice changes nothing', async () => {
  const campus = await addCampusId(server)
  const [row] = await server.platform.sql<{ text: string; version: number }[]>`
    select p::text as text, version from third_party_providers p where key = 'campus-id'`
  expect(row?.text).not.toContain('the secret')
  await addProvider(server, campus, {})
  const [again] = await server.platform.sql<{ text: string; version: number }[]>`
    select p::text as text, version from third_party_providers p where key = 'campus-id'`
  expect(again).toEqual(row)
})

test('settings that no connector could use are rejected with their place', async () => {
  const settings = presetSettings('plain', 'https://id.example.edu')
  const apply = (entry: object) =>
    applyBootstrap(
      server.platform,
      { thirdPartyProviders: [{ key: 'some-id', connector: 'oauth2', name: 'Some', settings, ...entry }] },
      { source: 'file' },
    )
  const at = 'file: thirdPartyProviders[0]'
  await expect(apply({ connector: 'nothing' })).rejects.toThrow(`${at}.connector: expected one of oauth2`)
  await expect(apply({ settings: { ...settings, tokenUrl: 'ldap://x' } })).rejects.toThrow(`${at}.settings.tokenUrl`)
  await expect(apply({ settings: { ...settings, secret: 'x' } })).rejects.toThrow(`${at}.settings.secret: no such key`)
  await expect(apply({ settings: { clientId: 'x' } })).rejects.toThrow(
    'expected discoveryUrl, or authorizeUrl and tokenUrl',
  )
  await expect(apply({ key: 'captcha' })).rejects.toThrow(`${at}.key`)
  await expect(apply({ key: 'Some ID' })).rejects.toThrow(`${at}.key`)
  const algorithms = ['HS256']
  const idToken = { issuer: 'https://id.example.edu', jwksUrl: 'https://id.example.edu/keys', algorithms }
  await expect(apply({ settings: { ...settings, idToken } })).rejects.toThrow('idToken.algorithms')
})
