import { createHash } from 'node:crypto'
import { hash as argon2 } from '@node-rs/argon2'
import { hash as bcrypt } from '@node-rs/bcrypt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LOGIN_NAME_FIELDS } from '#shared/contract/account-fields.ts'
import type { Db } from '../../platform/db.ts'
import { createBrowser } from '../../testing/browser.ts'
import { lockWaits } from '../../testing/lock-waits.ts'
import { addCasApplication, addPerson, logIn, PASSWORD, postLogin } from '../../testing/people.ts'
import { startTestServer, type TestServer, testServer } from '../../testing/server.ts'
import { attempt, BEHIND_PROXY, onlyLoginNames, setFieldRules, setPolicy } from '../../testing/sign-in.ts'

let server: TestServer
let lilei: string
beforeAll(async () => {
  server = await startTestServer()
  await setPolicy(server, { addressFailures: 100_000 })
  lilei = await addPerson(server, {
    account: 'LiLei01',
    alias: 'lei',
    phone: '13800000001',
    mailbox: 'Li.Lei@example.edu',
  })
})
afterAll(() => server.close())

const newestLogin = async (from = server) => {
  const [row] = await from.platform.sql`
    select user_id, account, auth_type, succeeded, reason, host(ip) as ip, browser, client_type, sso_session_id, request_id
    from login_records order by at desc, id desc limit 1`
  return row
}

test.each([
  'lilei01',
  ' LILEI01 ',
  '　ＬｉＬｅｉ０１　',
  'lei',
  '13800000001',
  '+86 138 0000 0001',
  '１３８０００００００１',
  'li.lei@EXAMPLE.edu',
])('%j logs the person in, whichever of their names it is and however it is written', async (username) => {
  expect(await attempt(server, username)).toMatchObject({ status: 200 })
})

test('only the kinds of names that the field rules allow can be used to log in', async () => {
  await setFieldRules(server, onlyLoginNames('account'))
  expect(await attempt(server, 'lei')).toMatchObject({ status: 401, code: 'sign-in.refused' })
  expect(await attempt(server, 'lilei01')).toMatchObject({ status: 200 })
  await setFieldRules(server, onlyLoginNames(...LOGIN_NAME_FIELDS))
})

test('a login is recorded before it is answered: who, how, from where', async () => {
  const answer = await attempt(server, 'lei')
  expect(await newestLogin()).toMatchObject({
    userId: lilei,
    account: 'lei',
    authType: 'user',
    succeeded: true,
    reason: null,
    ip: '127.0.0.1',
    ssoSessionId: expect.any(String),
    requestId: answer.answer.headers.get('x-request-id'),
  })
})

test('a failure is recorded; an unknown name is masked there, because it may be a password', async () => {
  await attempt(server, 'lei', 'wrong')
  expect(await newestLogin()).toMatchObject({
    userId: lilei,
    account: 'lei',
    succeeded: false,
    reason: 'password.wrong',
  })
  await attempt(server, 'My-secret-pass-7', 'lilei01')
  expect(await newestLogin()).toMatchObject({
    userId: null,
    account: 'M***',
    succeeded: false,
    reason: 'name.unknown',
  })
})

test('the application that the login was for is in the record', async () => {
  const id = await addCasApplication(server, { appId: 'library' })
  const browser = createBrowser(server)
  await postLogin(browser, { username: 'lei' }, { service: 'https://library.test/' })
  const [row] = await server.platform.sql`select application_id from login_records order by at desc, id desc limit 1`
  expect(row?.['applicationId']).toBe(id)
})

test('logging in again gives the session a new secret; another person ends it', async () => {
  await addPerson(server, { account: 'hanmeimei' })
  const browser = await logIn(server, 'lei')
  const first = browser.cookie('CASTGC')
  const sessions = () => server.platform.sql<{ id: string; userId: string; endedAt: Date | null }[]>`
    select id, user_id, ended_at from sso_sessions order by opened_at desc, id desc limit 2`
  const [before] = await sessions()
  await attempt(server, 'lei', PASSWORD, { browser })
  expect(browser.cookie('CASTGC')).not.toBe(first)
  expect((await sessions())[0]).toMatchObject({ id: before?.id, endedAt: null })
  await attempt(server, 'hanmeimei', PASSWORD, { browser })
  const [now, then] = await sessions()
  expect(now).toMatchObject({ endedAt: null })
  expect(then).toMatchObject({ id: before?.id, endedAt: expect.any(Date) })
})

test('a login lifts dormancy, and the record says so', async () => {
  const id = await addPerson(server, { account: 'sleeper' })
  await server.platform.sql`update users set dormant_since = ${server.platform.now()} where id = ${id}`
  expect(await attempt(server, 'sleeper')).toMatchObject({ status: 200 })
  const [user] = await server.platform.sql`select dormant_since, last_login_at from users where id = ${id}`
  expect(user).toMatchObject({ dormantSince: null, lastLoginAt: expect.any(Date) })
  expect(
    await server.platform.sql`select 1 from audit_records where action = 'account.wake' and target_id = ${id}`,
  ).toHaveLength(1)
})

test('an account whose password must be changed gets a session for that and nothing else', async () => {
  await addPerson(server, { account: 'newcomer', mustChangePassword: true })
  await addCasApplication(server, { appId: 'mail' })
  const browser = createBrowser(server)
  const answer = await postLogin(browser, { username: 'newcomer' }, { service: 'https://mail.test/' })
  expect(answer.status).toBe(302)
  expect(answer.location).toContain('/auth_web/forgot-password?type=2')
  expect(answer.location).not.toContain('ticket=')
})

const legacy = (scheme: string, digest: Buffer, salt = Buffer.alloc(0)) =>
  scheme === 'SSHA'
    ? `{SSHA}${Buffer.concat([digest, salt]).toString('base64')}`
    : `{${scheme}}${digest.toString('hex')}`
const digestOf = (algorithm: string, ...parts: (string | Buffer)[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash(algorithm)).digest()
const salt = Buffer.from('pepper')

test.each([
  ['md5', legacy('MD5', digestOf('md5', PASSWORD))],
  ['sm3', legacy('SM3', digestOf('sm3', PASSWORD))],
  ['ssha', legacy('SSHA', digestOf('sha1', PASSWORD, salt), salt)],
  ['bcrypt', (await bcrypt(PASSWORD, 4)).replace('$2b$', '$2a$')],
  ['cheap-argon2id', await argon2(PASSWORD, { memoryCost: 64, timeCost: 1 })],
])('a password hashed by another system (%s) works and is rehashed at the first login', async (kind, passwordHash) => {
  const id = await addPerson(server, { account: `from-${kind}`, password: undefined, passwordHash })
  const stored = async () => (await server.platform.sql`select hash from passwords where user_id = ${id}`)[0]?.['hash']
  expect(await attempt(server, `from-${kind}`, 'wrong')).toMatchObject({ status: 401 })
  expect(await attempt(server, `from-${kind}`)).toMatchObject({ status: 200 })
  expect(await stored()).toMatch(/^\$argon2id\$v=19\$m=8,t=1,p=1\$/)
  expect(await attempt(server, `from-${kind}`)).toMatchObject({ status: 200 })
  expect(await attempt(server, `from-${kind}`, 'wrong')).toMatchObject({ status: 401 })
})

test('the last character of a long password matters, and different encodings of one text are one password', async () => {
  const long = `Long-7-${'x'.repeat(93)}`
  await addPerson(server, { account: 'longwinded', password: long })
  expect(await attempt(server, 'longwinded', `${long.slice(0, -1)}y`)).toMatchObject({ status: 401 })
  expect(await attempt(server, 'longwinded', long)).toMatchObject({ status: 200 })
  await addPerson(server, { account: 'accents', password: 'Ärger-ﬁ-７' })
  expect(await attempt(server, 'accents', 'Ärger-fi-7'.normalize('NFD'))).toMatchObject({ status: 200 })
  expect(await attempt(server, 'accents', 'Arger-fi-7')).toMatchObject({ status: 401 })
})

test('hostile fields are rejected without hashing and without a trace', async () => {
  const browser = createBrowser(server)
  const json = { accept: 'application/json' }
  const count = async () => (await server.platform.sql`select count(*)::int as n from login_records`)[0]?.['n']
  const before = await count()
  const post = (fields: Record<string, string>) => browser.post('/fwk_cas_service/login', fields, json)
  expect((await post({ username: 'lei', password: 'x'.repeat(1025) })).status).toBe(400)
  expect((await post({ username: 'lei', password: 'x'.repeat(1_000_000) })).status).toBe(413)
  expect((await post({ username: 'x'.repeat(257), password: 'x' })).status).toBe(400)
  expect((await post({ username: 'lei', password: '' })).status).toBe(400)
  expect((await post({ password: 'x' })).status).toBe(400)
  const twice = await browser.post(
    '/fwk_cas_service/login',
    { username: ['lei', 'lei'], password: { a: 1 } } as unknown as Record<string, string>,
    { ...json, 'content-type': 'application/json' },
  )
  expect(twice.status).toBe(400)
  expect(await count()).toBe(before)
})

test.each(['\u0000', 'le\u0000i', "' or 1=1 --", '%', '\ud800', '\r\nforged', '{{7*7}}', '../../etc'])(
  'the name %j is simply unknown',
  async (username) => {
    expect(await attempt(server, username)).toMatchObject({ status: 401, code: 'sign-in.refused' })
  },
)

test('a forwarding header counts only from a trusted proxy', async () => {
  await attempt(server, 'lei', PASSWORD, { from: '203.0.113.9' })
  expect(await newestLogin()).toMatchObject({ ip: '127.0.0.1' })
  const behind = await testServer(BEHIND_PROXY)
  await addPerson(behind, { account: 'lei' })
  await attempt(behind, 'lei', PASSWORD, { from: '203.0.113.9' })
  expect(await newestLogin(behind)).toMatchObject({ ip: '203.0.113.9' })
})

test.each([
  ['203.0.113.9:51234', '203.0.113.9'],
  ['[2001:db8::7]:443', '2001:db8::7'],
  ['fe80::7%eth0', 'fe80::7'],
  ['unknown', '127.0.0.1'],
])('a proxy that writes the client as %s locks nobody out', async (from, ip) => {
  const behind = await testServer(BEHIND_PROXY)
  await addPerson(behind, { account: 'lei' })
  expect((await attempt(behind, 'lei', PASSWORD, { from })).status).toBe(200)
  expect(await newestLogin(behind)).toMatchObject({ ip })
})

test.each([
  [
    'a password changed',
    (tx: Db, id: string) => tx`
      update passwords set hash = 'changed meanwhile', changed_at = changed_at + interval '1 microsecond'
      where user_id = ${id}`,
    { status: 401, code: 'sign-in.refused' },
  ],
  [
    'an account disabled',
    (tx: Db, id: string) => tx`update users set enabled = false where id = ${id}`,
    { status: 403, code: 'sign-in.disabled' },
  ],
  [
    'an account locked',
    (tx: Db, id: string) => tx`update users set locked_at = created_at where id = ${id}`,
    { status: 403, code: 'sign-in.locked' },
  ],
] as const)('%s while a login is being checked opens no session', async (what, change, refusal) => {
  const account = `racer-${what.length}`
  const id = await addPerson(server, { account })
  const { sql } = server.platform
  const login = await sql.begin(async (tx) => {
    await change(tx, id)
    const running = attempt(server, account)
    await expect.poll(() => lockWaits(sql), { timeout: 30_000 }).toBe(1)
    return { running }
  })
  expect(await login.running).toMatchObject(refusal)
  expect(await sql`select 1 from sso_sessions where user_id = ${id}`).toHaveLength(0)
})
