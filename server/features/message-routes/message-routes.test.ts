import { expect, onTestFinished, test, vi } from 'vitest'
import type { StoredRoutes } from '#shared/contract/message-routes.ts'
import { systemContext, transaction } from '../../platform/platform.ts'
import { CODE, PHONE, sendLoginCode } from '../../testing/code-messages.ts'
import { startMailServer } from '../../testing/mail-server.ts'
import { startMessagePlatform } from '../../testing/message-platform.ts'
import { messagesLater } from '../../testing/messages.ts'
import { addPerson } from '../../testing/people.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { startSmsProvider } from '../../testing/sms-provider.ts'
import { applyBootstrap } from '../bootstrap/index.ts'
import { notifyPerson } from '../messages/index.ts'

const SECRET = 'platform-secret-0815'
const MAILBOX = 'lilei@example.edu'

type School = Awaited<ReturnType<typeof openSchool>>

/** A school with mail, text messages and a message platform of its own, and a person reachable by all of them. */
async function openSchool() {
  let server: TestServer | undefined
  const sms = await startSmsProvider('gateway', () => server?.platform.now() ?? new Date())
  const mail = await startMailServer({})
  onTestFinished(() => {
    sms.close()
    return mail.close()
  })
  const platform = await startMessagePlatform(SECRET)
  server = await testServer()
  await configure(server, {
    sms: sms.gateway,
    mail: { host: '127.0.0.1', port: mail.port, security: 'none', from: 'portal@school.test' },
  })
  const userId = await addPerson(server, { account: 'lilei', name: 'Li Lei', phone: PHONE, mailbox: MAILBOX })
  const root = await openPortal(server, { isSuperUser: true, account: 'root' })
  await root.call('/message_routes/save_http/', { body: { version: 0, gateway: platform.gateway } })
  return { server, sms, mail, platform, userId, root }
}

const configure = (server: TestServer, settings: Record<string, unknown>) =>
  applyBootstrap(server.platform, { settings }, { source: 'test' })

const read = async (root: Portal) => (await root.call<StoredRoutes>('/message_routes/details/')).data

async function choose(root: Portal, changes: object) {
  const { version } = await read(root)
  return await root.call<StoredRoutes>('/message_routes/update/', { body: { version, changes } })
}

const notify = ({ server, userId }: School, template: 'notice.dormant' | 'notice.password-changed') =>
  transaction(systemContext(server.platform), (inner) => notifyPerson(inner, { userId, template }))

type Row = { channel: string; state: string; reason: string | null; attempts: number; sealed: string | null }
const rowsOf = ({ server }: School) => server.platform.sql<Row[]>`
  select channel, state, reason, attempts, sealed from messages order by created_at, id`

const eventually = (check: () => Promise<void> | void) => vi.waitFor(check, { timeout: 20_000, interval: 30 })
const expectRows = (school: School, ...rows: Partial<Row>[]) =>
  eventually(async () => expect(await rowsOf(school)).toMatchObject(rows))

const ROUTE = [
  { channel: 'http', seconds: 20 },
  { channel: 'sms', seconds: 20 },
  { channel: 'mail', seconds: 20 },
]

test('a code is sent by the first channel of its route, and by no other once that has accepted it', async () => {
  const school = await openSchool()
  expect((await choose(school.root, { login: ROUTE })).status).toBe(200)
  await sendLoginCode(school)
  await expectRows(school, { channel: 'http', state: 'sent', sealed: null })
  expect(school.platform.sent).toMatchObject([
    { type: 'verify_code', receivers: [{ account: 'lilei' }], text: expect.stringContaining(CODE) },
  ])
  await messagesLater(school.server, 30)
  await messagesLater(school.server, 30)
  expect(school.sms.sent).toEqual([])
  expect(school.mail.arrived).toEqual([])
})

test('while the first channel is down the next one sends the same code, and only once the wait is over', async () => {
  const school = await openSchool()
  await choose(school.root, { login: ROUTE })
  school.platform.state.status = 503
  await sendLoginCode(school)
  await eventually(() => expect(school.platform.state.calls).toBeGreaterThan(0))
  await messagesLater(school.server, 10)
  await expectRows(school, { channel: 'http', state: 'pending', reason: 'busy' })
  expect(school.sms.sent).toEqual([])
  await eventually(async () => {
    await messagesLater(school.server, 1)
    expect(school.sms.sent).toHaveLength(1)
  })
  expect(school.sms.sent[0]?.text).toContain(CODE)
  await expectRows(school, { channel: 'http', state: 'failed' }, { channel: 'sms', state: 'sent' })
  school.platform.state.status = 200
  await messagesLater(school.server, 40)
  expect(school.platform.sent).toEqual([])
  expect(school.mail.arrived).toEqual([])
})

test('a permanent failure is not waited for', async () => {
  const school = await openSchool()
  await choose(school.root, { login: ROUTE })
  school.platform.state.reply = { code: 4, message: 'no such account' }
  await sendLoginCode(school)
  await expectRows(school, { channel: 'http', reason: 'rejected' }, { channel: 'sms', state: 'sent' })
})

test('a code that has expired by the time of the next channel is not sent any more', async () => {
  const school = await openSchool()
  await choose(school.root, { login: ROUTE })
  school.platform.state.status = 503
  const expiresAt = new Date(school.server.platform.now().getTime() + 15_000)
  await sendLoginCode(school, { expiresAt })
  await eventually(() => expect(school.platform.state.calls).toBeGreaterThan(0))
  await messagesLater(school.server, 60)
  await expectRows(school, { channel: 'http', state: expect.stringMatching(/expired|failed/), sealed: null })
  expect(school.sms.sent).toEqual([])
})

test('codes that prove one address are sent to that address, whatever route there is', async () => {
  const school = await openSchool()
  await choose(school.root, { login: ROUTE })
  await sendLoginCode(school, { template: 'code.bind-phone', isBound: true })
  await sendLoginCode(school, { isBound: true })
  await eventually(() => expect(school.sms.sent).toHaveLength(2))
  expect(school.platform.sent).toEqual([])
})

test('a mailbox just set by an administrator gets no code as a fallback', async () => {
  const school = await openSchool()
  const { platform } = school.server
  await choose(school.root, { login: [{ channel: 'http' }, { channel: 'mail' }] })
  await platform.sql`update users set mailbox_given_at = ${new Date(platform.now().getTime() + 1000)}`
  school.platform.state.reply = { code: 4 }
  await sendLoginCode(school)
  // The requested channel comes before a route that does not name it.
  await expectRows(school, { channel: 'sms', state: 'sent' })
  await platform.sql`delete from messages`
  school.sms.answerNext({ status: 200, body: { code: 9 } })
  await sendLoginCode(school)
  await expectRows(school, { channel: 'sms', state: 'failed' }, { channel: 'http', state: 'failed' })
  await messagesLater(school.server, 60)
  expect(school.mail.arrived).toEqual([])
})

test('notices wait for the end of the quiet hours, codes and mail do not', async () => {
  const school = await openSchool()
  const { server, root } = school
  const steps = [{ channel: 'sms' }]
  await choose(root, { dormancy: steps, login: steps, security: steps, quietFrom: '22:00', quietUntil: '07:00' })
  // 23:30 in Shanghai.
  const at = new Date(server.platform.now())
  const minutes = (15.5 * 60 - (at.getUTCHours() * 60 + at.getUTCMinutes()) + 1440) % 1440
  server.advance(minutes * 60)
  await notify(school, 'notice.dormant')
  await sendLoginCode(school)
  await notify(school, 'notice.password-changed')
  await eventually(() => expect(school.sms.sent).toHaveLength(2))
  await messagesLater(server, 7 * 3600)
  expect(school.sms.sent).toHaveLength(2)
  await messagesLater(server, 45 * 60)
  await eventually(() => expect(school.sms.sent).toHaveLength(3))
  const again = await openPortal(server, { isSuperUser: true, account: 'another' })
  await choose(again, { dormancy: [{ channel: 'mail' }] })
  await messagesLater(server, 16 * 3600)
  await notify(school, 'notice.dormant')
  await eventually(() => expect(school.mail.arrived).toHaveLength(1))
})

test('a channel that has used up its daily quota gives way to the next, until midnight', async () => {
  const school = await openSchool()
  await choose(school.root, { login: ROUTE, dailyHttp: 1 })
  await sendLoginCode(school)
  await expectRows(school, { channel: 'http', state: 'sent' })
  await sendLoginCode(school)
  await expectRows(
    school,
    { channel: 'http', state: 'sent' },
    { channel: 'http', reason: 'quota', attempts: 1 },
    { channel: 'sms', state: 'sent' },
  )
  const { channels } = await read(school.root)
  expect(channels.find(({ channel }) => channel === 'http')).toMatchObject({ isConfigured: true, usedToday: 1 })
  school.server.advance(86_400)
  await sendLoginCode(school)
  await eventually(() => expect(school.platform.sent).toHaveLength(2))
})

test('of two nodes that fall back at once one sends', async () => {
  const school = await openSchool()
  await choose(school.root, { login: ROUTE })
  school.platform.state.status = 503
  await Promise.all(Array.from({ length: 10 }, () => sendLoginCode(school, { template: 'code.login' })))
  await eventually(() => expect(school.platform.state.calls).toBeGreaterThan(4))
  school.server.advance(21)
  await Promise.all(Array.from({ length: 5 }, () => messagesLater(school.server, 0)))
  await eventually(async () => {
    await messagesLater(school.server, 1)
    expect(school.sms.sent).toHaveLength(10)
  })
  const sms = (await rowsOf(school)).filter(({ channel }) => channel === 'sms')
  expect(sms).toHaveLength(10)
})

test('a contradiction is reported at its field: a route that outlasts its code, a channel twice, an invalid body', async () => {
  const { root } = await openSchool()
  const slow = [{ channel: 'http', seconds: 100 }, { channel: 'sms', seconds: 100 }, { channel: 'mail' }]
  expect((await choose(root, { login: slow })).envelope).toMatchObject({ code: 'request.invalid' })
  expect((await choose(root, { security: slow })).status).toBe(200)
  const twice = await choose(root, { security: [{ channel: 'sms' }, { channel: 'sms' }] })
  expect(JSON.stringify(twice.envelope)).toContain('changes.security')
  const { http } = await read(root)
  for (const body of ['{"a": "{{password}} {{account}} {{text}}"}', '{{account}} {{text}}', '{"a": "{{text}}"}']) {
    const gateway = { ...http.gateway, body }
    const refused = await root.call('/message_routes/save_http/', { body: { version: http.version, gateway } })
    expect(JSON.stringify(refused.envelope)).toContain('gateway.body')
  }
})

test('the secret of the platform is shown to nobody and goes to no other host', async () => {
  const { root, server } = await openSchool()
  const { http } = await read(root)
  expect(http.gateway?.secret).toBe('******')
  const moved = { ...http.gateway, url: 'https://evil.example/send' }
  const save = (gateway: object) =>
    root.call('/message_routes/save_http/', { body: { version: http.version, gateway } })
  expect((await save(moved)).envelope.code).toBe('settings.secret-needed')
  expect((await save({ ...http.gateway, body: '{"who":"{{account}}","what":"{{text}}"}' })).status).toBe(200)
  const late = await save({ ...http.gateway })
  expect(late.envelope).toMatchObject({ code: 'version.conflict' })
  const [kept] = await server.platform.sql<{ text: string }[]>`
    select string_agg(coalesce(before::text, '') || coalesce(after::text, ''), '') as text from audit_records`
  expect(kept?.text).not.toContain(SECRET)
})

test('whatever a name contains, the body stays valid JSON', async () => {
  const school = await openSchool()
  await choose(school.root, { security: [{ channel: 'http' }] })
  await school.server.platform.sql`update users set account = ${'li"},{"x":"{{code}}'} where id = ${school.userId}`
  await notify(school, 'notice.password-changed')
  await eventually(() => expect(school.platform.sent).toHaveLength(1))
  expect(school.platform.sent[0]).toMatchObject({ receivers: [{ account: 'li"},{"x":"{{code}}' }] })
})

test('keys set by the bootstrap file can not be changed elsewhere', async () => {
  const school = await openSchool()
  await applyBootstrap(
    school.server.platform,
    { settings: { messageRoutes: { dailySms: 5 } } },
    { source: 'file', isFile: true },
  )
  expect((await read(school.root)).setByFile).toEqual(['dailySms'])
  expect((await choose(school.root, { dailySms: 9 })).envelope.code).toBe('settings.set-by-file')
  expect((await choose(school.root, { dailyMail: 9 })).status).toBe(200)
})

test('a check says step by step what is wrong with a channel, and sends one message to the caller', async () => {
  const school = await openSchool()
  const { root, platform, server } = school
  type Found = { steps: { step: string; outcome: string; reason: string | null }[] }
  const check = async (channel: string, send = false) =>
    (await root.call<Found>('/message_routes/check/', { body: { channel, send } })).data.steps
  expect(await check('wecom', true)).toMatchObject([{ step: 'configured', reason: 'not-configured' }])
  expect((await check('mail')).at(-1)).toMatchObject({ step: 'receiver', reason: 'no-address' })
  await server.platform.sql`update users set mailbox = 'root@example.edu' where account = 'root'`
  expect((await check('mail', true)).map(({ step, outcome }) => `${step} ${outcome}`)).toEqual(
    ['configured', 'host', 'rest', 'quota', 'receiver', 'sent'].map((step) => `${step} well`),
  )
  await eventually(() => expect(school.mail.arrived).toHaveLength(1))
  expect((await check('http', true)).at(-1)).toMatchObject({ step: 'sent', outcome: 'well' })
  platform.state.status = 503
  expect((await check('http', true)).at(-1)).toMatchObject({ step: 'sent', reason: 'busy' })
  await choose(root, { dailyHttp: 1 })
  platform.state.status = 200
  await server.platform
    .sql`insert into message_usage values ('http', (${server.platform.now()}::timestamptz at time zone 'Asia/Shanghai')::date, 1)`
  expect((await check('http', true)).slice(-3)).toMatchObject([
    { step: 'quota', reason: 'quota' },
    { step: 'receiver', outcome: 'well' },
    { step: 'sent', outcome: 'skipped' },
  ])
})
