import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import type { Context } from '../../platform/platform.ts'
import { startMailServer } from '../../testing/mail-server.ts'
import { addPerson } from '../../testing/people.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { signedFetch } from '../../testing/signed.ts'
import { startSmsProvider } from '../../testing/sms-provider.ts'
import { findReadyChannels } from '../messages/index.ts'
import { verifyPassword } from '../passwords/index.ts'
import { createAdministrator, ensureSetupLink } from './index.ts'

const tokenOf = (link: string | null) => link?.split('#')[1] ?? ''

const complete = (token: string, account = 'first-admin') => ({
  token,
  administrator: { account, name: '林知远', password: 'Quiet-lake-2041' },
  institution: { names: { zh_CN: '示范大学', en: 'Demo University' }, contacts: { en: 'Library, room 3' } },
})

const call = (server: TestServer, path: string, body: unknown) => signedFetch(server, `/setup/${path}/`, { body })

const superUsers = ({ platform }: TestServer) =>
  platform.sql<{ account: string }[]>`select account from users where is_super_user and deleted_at is null`

const commandLine = ({ platform }: TestServer): Context => ({
  ...platform,
  db: platform.sql,
  caller: null,
  client: { requestId: 'test', ip: '127.0.0.1', userAgent: '', language: 'en' },
})

async function storedPassword(server: TestServer, account: string) {
  const [row] = await server.platform.sql<{ id: string; hash: string }[]>`
    select u.id, p.hash from users u join passwords p on p.user_id = u.id where account = ${account}`
  return row ?? { id: '', hash: '' }
}

test('the setup link creates the first administrator and names the institution, then never opens again', async () => {
  const server = await testServer()
  const link = await ensureSetupLink(server.platform)
  expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/auth_web\/setup#\w{43}$/)
  const token = tokenOf(link)
  const state = await call(server, 'state', { token })
  expect(await state.json()).toMatchObject({ data: { publicUrl: server.url, https: false, passwordMinLength: 8 } })
  expect((await call(server, 'complete', complete(token))).status).toBe(200)
  expect(await superUsers(server)).toEqual([{ account: 'first-admin' }])
  const gateway = await signedFetch(server, '/school_gateway/query/')
  expect(await gateway.json()).toMatchObject({ data: { schoolName: 'Demo University', contact: 'Library, room 3' } })

  expect((await call(server, 'state', { token })).status).toBe(404)
  expect((await call(server, 'complete', complete(token, 'second-admin'))).status).toBe(404)
  await server.platform.sql`update users set deleted_at = ${server.platform.now()}`
  expect(await ensureSetupLink(server.platform)).toBeNull()
  expect((await call(server, 'complete', complete(token, 'third-admin'))).status).toBe(404)
})

test('an unused setup link is closed by the first administrator, however that one was created', async () => {
  const byCommand = await testServer()
  const waiting = tokenOf(await ensureSetupLink(byCommand.platform))
  await createAdministrator(commandLine(byCommand), 'operator')
  expect((await call(byCommand, 'state', { token: waiting })).status).toBe(404)
  expect((await call(byCommand, 'complete', complete(waiting))).status).toBe(404)
  await byCommand.platform.sql`update users set deleted_at = ${byCommand.platform.now()}`
  expect((await call(byCommand, 'complete', complete(waiting))).status).toBe(404)

  const byFile = await testServer()
  const token = tokenOf(await ensureSetupLink(byFile.platform))
  await addPerson(byFile, { account: 'from-the-file', isSuperUser: true })
  expect((await call(byFile, 'complete', complete(token))).status).toBe(404)
  expect(await superUsers(byFile)).toEqual([{ account: 'from-the-file' }])
})

test('of several setup calls at the same moment exactly one succeeds', async () => {
  const server = await testServer()
  const node = await server.secondNode()
  const token = tokenOf(await ensureSetupLink(server.platform))
  const accounts = ['one', 'two', 'three', 'four', 'five', 'six']
  const answers = await Promise.all(
    accounts.map((account, index) => call(index % 2 ? node : server, 'complete', complete(token, account))),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404])
  expect(await superUsers(server)).toHaveLength(1)
})

test('an unknown link does not open the setup', async () => {
  const server = await testServer()
  await ensureSetupLink(server.platform)
  const answer = await call(server, 'complete', complete('x'.repeat(43)))
  expect(answer.status).toBe(403)
  expect(await superUsers(server)).toHaveLength(0)
})

test('links of nodes that start together all work; before any start there is no setup', async () => {
  const server = await testServer()
  expect((await call(server, 'state', { token: 'anything' })).status).toBe(404)
  const first = tokenOf(await ensureSetupLink(server.platform))
  for (let start = 0; start < 4; start++) await ensureSetupLink(server.platform)
  expect((await call(server, 'state', { token: first })).status).toBe(200)
  await ensureSetupLink(server.platform)
  expect((await call(server, 'state', { token: first })).status).toBe(403)
})

test('with an administrator created otherwise no link is printed, also after that administrator is deleted', async () => {
  const server = await testServer()
  await addPerson(server, { account: 'chief', isSuperUser: true })
  expect(await ensureSetupLink(server.platform)).toBeNull()
  await server.platform.sql`update users set deleted_at = ${server.platform.now()}`
  expect(await ensureSetupLink(server.platform)).toBeNull()
})

test.each([
  ['too short', 'Ab-1'],
  ['without signs', 'abcdefgh12345'],
  ['with the account in it', 'x1-First-Admin-9'],
])('a password %s is rejected and nothing is written', async (_name, password) => {
  const server = await testServer()
  const token = tokenOf(await ensureSetupLink(server.platform))
  const body = complete(token)
  const answer = await call(server, 'complete', { ...body, administrator: { ...body.administrator, password } })
  expect(answer.status).toBe(422)
  expect(await answer.json()).toMatchObject({ code: 'password.too-weak' })
  expect(await superUsers(server)).toHaveLength(0)
  expect((await call(server, 'complete', body)).status).toBe(200)
})

test('the logo is re-encoded without anything else in the file, and anyone may see it', async () => {
  const server = await testServer()
  const token = tokenOf(await ensureSetupLink(server.platform))
  const picture = sharp({ create: { width: 700, height: 300, channels: 3, background: '#205081' } })
  const jpeg = await picture
    .jpeg()
    .withExif({ IFD0: { Artist: 'SECRET-ARTIST' } })
    .toBuffer()
  const body = complete(token)
  const withLogo = (logo: Buffer) => ({ ...body, institution: { ...body.institution, logo: logo.toString('base64') } })
  const script = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  expect((await call(server, 'complete', withLogo(script))).status).toBe(422)
  expect((await call(server, 'complete', withLogo(jpeg))).status).toBe(200)
  const { data } = (await (await signedFetch(server, '/school_gateway/query/')).json()) as { data: { logo: string } }
  const shown = await fetch(server.url + data.logo)
  expect(shown.headers.get('content-type')).toBe('image/png')
  const bytes = Buffer.from(await shown.arrayBuffer())
  expect(bytes.includes('SECRET-ARTIST')).toBe(false)
  expect(await sharp(bytes).metadata()).toMatchObject({ width: 256, height: 110 })
})

test('the command line creates an administrator with a password for one login, and audits it', async () => {
  const server = await testServer()
  const { created, password } = await createAdministrator(commandLine(server), 'rescue')
  expect(created).toBe(true)
  const { hash } = await storedPassword(server, 'rescue')
  expect((await verifyPassword(server.platform, password, hash)).right).toBe(true)
  const [row] = await server.platform.sql`select must_change_password, is_super_user from users`
  expect(row).toEqual({ mustChangePassword: true, isSuperUser: true })
  const [audit] = await server.platform.sql`
    select actor, action from audit_records where action like 'administrator.%'`
  expect(audit).toEqual({ actor: 'command line', action: 'administrator.create' })
})

test('the command line lets a locked, frozen and disabled administrator back in, and ends the sessions', async () => {
  const server = await testServer()
  const { sql, now } = server.platform
  const id = await addPerson(server, { account: 'chief' })
  await sql`update users set enabled = false, locked_at = ${now()}, frozen_from = ${now()} where id = ${id}`
  const { created, password } = await createAdministrator(commandLine(server), 'chief')
  expect(created).toBe(false)
  const [row] = await sql`select enabled, locked_at, frozen_from, is_super_user, must_change_password from users`
  expect(row).toEqual({
    enabled: true,
    lockedAt: null,
    frozenFrom: null,
    isSuperUser: true,
    mustChangePassword: true,
  })
  const { hash } = await storedPassword(server, 'chief')
  expect((await verifyPassword(server.platform, password, hash)).right).toBe(true)
  const [{ count } = { count: 0 }] =
    await sql`select count(*)::int from audit_records where action = 'administrator.restore'`
  expect(count).toBe(1)
})

const MAIL = {
  security: 'none',
  host: '127.0.0.1',
  user: 'portal',
  password: 'Mail-secret-1',
  from: 'portal@school.test',
}

test('the wizard sends a test mail and a test text message, shows the real result, and saves what worked', async () => {
  const server = await testServer()
  const token = tokenOf(await ensureSetupLink(server.platform))
  const arrivals = await startMailServer({ login: { user: 'portal', password: 'Mail-secret-1' } })
  const provider = await startSmsProvider('aliyun')
  onTestFinished(async () => {
    provider.close()
    await arrivals.close()
  })
  const mail = { ...MAIL, port: arrivals.port }
  const sms = provider.gateway
  const tried = async (path: string, body: object) => (await call(server, path, { token, ...body })).json()
  const wrong = { gateway: { ...mail, password: 'wrong' }, to: 'me@example.edu' }
  expect(await tried('test_mail', wrong)).toMatchObject({ state: 200, data: { sent: false, reason: 'credentials' } })
  expect(await tried('test_mail', { gateway: mail, to: 'me@example.edu' })).toMatchObject({ data: { sent: true } })
  expect(arrivals.arrived).toMatchObject([{ to: ['me@example.edu'] }])
  const unsigned = { gateway: { ...sms, signName: 'Nobody' }, to: '13800000001' }
  expect(await tried('test_sms', unsigned)).toMatchObject({ data: { sent: false, reason: 'signature' } })
  expect(await tried('test_sms', { gateway: sms, to: '13800000001' })).toMatchObject({ data: { sent: true } })
  expect(await tried('test_sms', { gateway: sms, to: 'twelve' })).toMatchObject({ code: 'message.invalid-number' })
  expect((await call(server, 'complete', { ...complete(token), mail, sms })).status).toBe(200)
  expect(await findReadyChannels(server.platform)).toEqual({ mail: true, sms: true })
  const stored = JSON.stringify(await server.platform.sql`select value from settings`)
  expect(stored).not.toMatch(/Mail-secret-1|Gatehouse-secret/)
  expect(await tried('test_mail', { gateway: mail, to: 'me@example.edu' })).toMatchObject({ code: 'setup.closed' })
})

test('nobody without the link can send anything with the wizard, and with it only a limited number of tests', async () => {
  const server = await testServer()
  const token = tokenOf(await ensureSetupLink(server.platform))
  const test = { gateway: { ...MAIL, port: 9 }, to: 'me@example.edu' }
  expect((await call(server, 'test_mail', { token: 'x'.repeat(43), ...test })).status).toBe(403)
  for (let times = 0; times < 20; times++)
    expect((await call(server, 'test_mail', { token, ...test })).status).toBe(200)
  expect((await call(server, 'test_mail', { token, ...test })).status).toBe(429)
})
