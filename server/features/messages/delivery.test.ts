import { expect, onTestFinished, test, vi } from 'vitest'
import { SHIPPED_LANGUAGES } from '#shared/contract/endpoint.ts'
import { systemContext, transaction } from '../../platform/platform.ts'
import { startMailServer } from '../../testing/mail-server.ts'
import { messagesLater } from '../../testing/messages.ts'
import { addPerson } from '../../testing/people.ts'
import { openPortal } from '../../testing/portal.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { startSmsProvider } from '../../testing/sms-provider.ts'
import { applyBootstrap } from '../bootstrap/index.ts'
import { findReadyChannels, notifyPerson, sendMessage } from './index.ts'

type SmsProvider = Awaited<ReturnType<typeof startSmsProvider>>

const CODE = '482915'

async function withMail(options: Parameters<typeof startMailServer>[0] = {}, server?: TestServer) {
  const mail = await startMailServer(options)
  onTestFinished(() => mail.close())
  const node = server ?? (await testServer())
  await configure(node, {
    mail: { host: '127.0.0.1', port: mail.port, security: 'none', from: 'portal@school.test' },
    gateway: { names: { en: 'Riverside College', zh_CN: '河畔学院', zh_TW: '河畔學院' } },
  })
  return { server: node, mail }
}

async function withSms(kind: 'aliyun' | 'tencent' | 'gateway') {
  let server: TestServer | undefined
  const sms = await startSmsProvider(kind, () => server?.platform.now() ?? new Date())
  onTestFinished(() => sms.close())
  server = await testServer()
  await configure(server, { sms: sms.gateway })
  return { server, sms }
}

const configure = (server: TestServer, settings: Record<string, unknown>) =>
  applyBootstrap(server.platform, { settings }, { source: 'test' })

type Sending = Partial<Parameters<typeof sendMessage>[1]>

const send = (server: TestServer, message: Sending = {}) =>
  transaction(systemContext(server.platform), (inner) =>
    sendMessage(inner, {
      template: 'code.login',
      channel: 'sms',
      to: '13800000001',
      userId: null,
      language: 'zh_CN',
      params: { code: CODE, minutes: 5 },
      ...message,
    }),
  )

const sendMail = (server: TestServer, message: Sending = {}) =>
  send(server, { channel: 'mail', to: 'lilei@example.edu', ...message })

type Row = {
  state: string
  attempts: number
  reason: string | null
  gateway: string
  error: string | null
  errorCode: string | null
  gatewayId: string
  /** By its lease, which is longer than the first pauses; the row is pending all the time. */
  isUnderWay: boolean
}
const recordOf = async ({ platform }: TestServer): Promise<Row | undefined> => {
  const [row] = await platform.sql<Row[]>`
    select state, attempts, reason, gateway, last_error as error, error_code, gateway_id,
      state = 'pending' and next_attempt_at - ${platform.now()} between '31 s' and '60 s' as is_under_way from messages
    order by created_at desc, id desc limit 1`
  return row
}

const eventually = (check: () => Promise<void> | void) => vi.waitFor(check, { timeout: 30_000, interval: 30 })
const settled = (server: TestServer, expected: Partial<Row>) =>
  eventually(async () => expect(await recordOf(server)).toMatchObject({ ...expected, isUnderWay: false }))

test('a code reaches the mailbox in each language, with the name of the institution, as text and as a page', async () => {
  const { server, mail } = await withMail()
  for (const language of SHIPPED_LANGUAGES) await sendMail(server, { to: `${language}@example.edu`, language })
  await eventually(() => expect(mail.arrived).toHaveLength(3))
  const by = (language: string) => mail.arrived.find(({ to }) => to[0] === `${language}@example.edu`)?.mail
  expect(by('en')?.subject).toBe('Riverside College: your verification code')
  expect(by('zh_CN')?.subject).toBe('河畔学院：您的验证码')
  expect(by('zh_TW')?.subject).toBe('河畔學院：您的驗證碼')
  for (const language of SHIPPED_LANGUAGES) {
    expect(by(language)?.text).toContain(CODE)
    expect(by(language)?.html).toContain(`>${CODE}<`)
    expect(by(language)?.html).toContain(`lang="${language.replace('_', '-')}"`)
    expect(by(language)?.subject).not.toContain(CODE)
  }
  await settled(server, { state: 'sent', gateway: 'smtp', attempts: 1 })
})

test("the institution's own wording replaces ours, part by part", async () => {
  const { server, mail } = await withMail()
  await configure(server, { 'message-templates': { 'code.login': { en: { subject: 'Code of {{school}}' } } } })
  await sendMail(server, { language: 'en' })
  await eventually(() => expect(mail.arrived).toHaveLength(1))
  expect(mail.arrived[0]?.mail.subject).toBe('Code of Riverside College')
  expect(mail.arrived[0]?.mail.text).toContain('It is valid for 5 minutes')
})

test('a text shared by all messages of a kind is edited in the list of texts, and a code text keeps its code', async () => {
  const { server, mail } = await withMail()
  const root = await openPortal(server, { isSuperUser: true, account: 'root' })
  const save = (key: string, text: string) =>
    root.call('/language/en/update/', { body: { texts: [{ key, text, version: 0 }] } })
  const refused = await save('message.code.sms', '{{school}}: your code for {{event}} is good for {{minutes}} minutes.')
  expect(refused.envelope).toMatchObject({ code: 'text.refused', data: { fields: [{ problem: 'code-missing' }] } })
  expect((await save('message.code.subject', 'Code from {{school}}')).status).toBe(200)
  expect((await save('message.footer', 'Sent by {{school}}')).status).toBe(200)
  await sendMail(server, { language: 'en' })
  await eventually(() => expect(mail.arrived).toHaveLength(1))
  expect(mail.arrived[0]?.mail.subject).toBe('Code from Riverside College')
  expect(mail.arrived[0]?.mail.text).toContain('Sent by Riverside College')
})

test('a text message is sent in the institution’s wording, in the recipient’s language', async () => {
  const { server, sms } = await withSms('gateway')
  const root = await openPortal(server, { isSuperUser: true, account: 'root' })
  const text = '【{{school}}】{{event}}的口令是 {{code}}，{{minutes}} 分钟内有效。'
  const body = { texts: [{ key: 'message.code.sms', text, version: 0 }] }
  expect((await root.call('/language/zh_CN/update/', { body })).status).toBe(200)
  for (const language of ['zh_CN', 'en']) await send(server, { language })
  await eventually(() => expect(sms.sent).toHaveLength(2))
  const texts = sms.sent.map((one) => one.text)
  expect(texts).toContainEqual(expect.stringMatching(`】登录的口令是 ${CODE}，5 分钟内有效。$`))
  expect(texts).toContainEqual(expect.stringContaining(`${CODE} is your code for logging in`))
})

test('addresses in a message come from the configuration, whatever Host a request named', async () => {
  const server = await testServer({ env: { PUBLIC_URL: 'https://sso.school.test' } })
  const { mail } = await withMail({}, server)
  const userId = await addPerson(server, { account: 'lilei', name: '<b>李雷</b>', mailbox: 'lilei@example.edu' })
  await fetch(`http://127.0.0.1:${server.platform.config.port}/auth_web/`, {
    headers: { host: 'evil.test' },
    redirect: 'manual',
  })
  await transaction(systemContext(server.platform), (inner) =>
    notifyPerson(inner, { userId, template: 'notice.password-changed' }),
  )
  await eventually(() => expect(mail.arrived).toHaveLength(1))
  const [arrived] = mail.arrived
  expect(arrived?.mail.text).toContain('https://sso.school.test/auth_web/')
  expect(arrived?.mail.html).toContain('href="https://sso.school.test/auth_web/"')
  expect(arrived?.mail.html).toContain('&lt;b&gt;李雷')
  expect(arrived?.raw).not.toContain('evil.test')
})

test.each([
  ['aliyun', '8613800000001', { code: CODE }, '900619746936498440^0'],
  ['tencent', '+8613800000001', { 1: CODE, 2: '5' }, '5000:1045710669157053657849499619'],
  ['gateway', '+8613800000001', expect.objectContaining({ code: CODE, minutes: '5' }), expect.stringMatching(/^task-/)],
] as const)('a text message is sent through %s, which checks the signature', async (kind, phone, values, gatewayId) => {
  const { server, sms } = await withSms(kind)
  await send(server, { to: '138 0000 0001' })
  await settled(server, { state: 'sent', gateway: kind, gatewayId })
  expect(sms.sent).toMatchObject([{ phone, values }])
})

test.each([
  [
    'aliyun',
    { body: { Code: 'isv.BUSINESS_LIMIT_CONTROL', Message: `limit for 13800000001, ${CODE}` } },
    'limited',
    'isv.BUSINESS_LIMIT_CONTROL',
  ],
  ['aliyun', { body: { Code: 'isv.AMOUNT_NOT_ENOUGH', Message: 'no money' } }, 'balance', 'isv.AMOUNT_NOT_ENOUGH'],
  [
    'aliyun',
    { status: 400, body: { Code: 'SignatureDoesNotMatch', Message: 'wrong' } },
    'credentials',
    'SignatureDoesNotMatch',
  ],
  ['aliyun', { status: 200, body: '<html>a login page</html>' }, 'unintelligible', '200'],
  [
    'tencent',
    { body: { Response: { Error: { Code: 'AuthFailure.SignatureFailure', Message: 'wrong' } } } },
    'credentials',
    'AuthFailure.SignatureFailure',
  ],
  [
    'tencent',
    { body: { Response: { SendStatusSet: [{ Code: 'FailedOperation.ContainSensitiveWord', Message: 'x' }] } } },
    'content',
    'FailedOperation.ContainSensitiveWord',
  ],
  ['gateway', { body: { code: `no ${CODE}`, message: 'x' } }, 'rejected', null],
  ['gateway', { body: { code: CODE, message: 'x' } }, 'rejected', '***'],
  ['tencent', { body: { Response: {} } }, 'unintelligible', '200'],
  ['gateway', { body: { code: 1001, message: 'number refused' } }, 'rejected', '1001'],
  ['gateway', { status: 302, body: '' }, 'unintelligible', '302'],
] as const)(
  '%s rejecting with %j is a permanent failure, with its reason and code, and without the verification code in the record',
  async (kind, reply, reason, errorCode) => {
    const { server, sms } = await withSms(kind)
    sms.answerNext(reply)
    await send(server)
    await settled(server, { state: 'failed', attempts: 1, reason, errorCode })
    expect((await recordOf(server))?.error).not.toMatch(/482915|13800000001/)
    expect(sms.sent).toHaveLength(0)
  },
)

type Busy = [
  kind: 'aliyun' | 'tencent' | 'gateway',
  reply: Parameters<SmsProvider['answerNext']>[0],
  errorCode: string | null,
]
const BUSY: Busy[] = [
  ['aliyun', { body: { Code: 'isp.SYSTEM_ERROR', Message: 'busy' } }, 'isp.SYSTEM_ERROR'],
  [
    'tencent',
    { body: { Response: { Error: { Code: 'InternalError.SendAndRecvFail', Message: 'busy' } } } },
    'InternalError.SendAndRecvFail',
  ],
  ['gateway', { status: 503, body: 'overloaded' }, '503'],
  ['gateway', { hangUp: true }, null],
]

test.each(BUSY)('what %s can not accept now is sent later, once, under the same id', async (kind, reply, errorCode) => {
  const { server, sms } = await withSms(kind)
  sms.answerNext(reply)
  await send(server)
  await settled(server, { state: 'pending', attempts: 1, errorCode })
  await messagesLater(server, 2)
  await settled(server, { state: 'sent', attempts: 2, errorCode: null })
  const [row] = await server.platform.sql<{ id: string }[]>`select id from messages`
  expect(sms.sent.map(({ id }) => id)).toEqual([row?.id])
  await messagesLater(server, 3600)
  expect(sms.calls()).toBe(2)
})

test('a code that could not be sent in time is not sent any more, and the record says what happened', async () => {
  const { server, sms } = await withSms('gateway')
  sms.answerNext(...Array.from({ length: 4 }, () => ({ status: 500, body: 'broken' })))
  await send(server, { expiresAt: new Date(server.platform.now().getTime() + 240_000) })
  for (const [attempts, seconds] of [
    [1, 2],
    [2, 6],
  ] as const) {
    await settled(server, { state: 'pending', attempts })
    await messagesLater(server, seconds)
  }
  await settled(server, { state: 'pending', attempts: 3, reason: 'busy' })
  await messagesLater(server, 240)
  await settled(server, { state: 'expired', attempts: 3, reason: 'busy' })
  await messagesLater(server, 7200)
  expect(sms.sent).toHaveLength(0)
  const [row] = await server.platform.sql<{ sealed: string | null }[]>`select sealed from messages`
  expect(row?.sealed).toBeNull()
})

test('a gateway that fails again and again is suspended, reported as down meanwhile, and resumes on its own', async () => {
  const { server, sms } = await withSms('gateway')
  sms.answerNext(...Array.from({ length: 5 }, () => ({ status: 500, body: 'broken' })))
  for (let person = 1; person <= 5; person++) await send(server, { to: `1380000000${person}` })
  await eventually(async () => expect(await findReadyChannels(server.platform)).toEqual({ mail: false, sms: false }))
  await expect(send(server)).rejects.toThrow('message.channel-unavailable')
  const calls = sms.calls()
  await messagesLater(server, 5)
  expect(sms.calls()).toBe(calls)
  await messagesLater(server, 60)
  await eventually(() => expect(sms.sent).toHaveLength(5))
  expect(await findReadyChannels(server.platform)).toEqual({ mail: false, sms: true })
})

test('a message whose node died in the middle is sent by another, and none that was taken over is lost', async () => {
  const { server, sms } = await withSms('gateway')
  const { sql, now } = server.platform
  sms.answerNext({ status: 500, body: 'broken' })
  await send(server)
  await settled(server, { state: 'pending', attempts: 1 })
  // As a node killed during its attempt leaves it.
  await sql`update messages set attempts = 2, next_attempt_at = ${new Date(now().getTime() + 60_000)}`
  await messagesLater(server, 30)
  expect(sms.sent).toHaveLength(0)
  await messagesLater(server, 31)
  await settled(server, { state: 'sent', attempts: 3 })
  expect(sms.sent).toHaveLength(1)
})

test('two nodes send every message once', async () => {
  const { server, sms } = await withSms('gateway')
  const node = await server.secondNode()
  const phones = Array.from({ length: 30 }, (_, index) => `138000001${String(index).padStart(2, '0')}`)
  await Promise.all(phones.map((to, index) => send(index % 2 ? node : server, { to })))
  await eventually(() => expect(sms.sent).toHaveLength(30))
  expect(new Set(sms.sent.map(({ id }) => id)).size).toBe(30)
})

test('a slow mail server does not delay text messages', async () => {
  const { server, sms } = await withSms('gateway')
  await withMail({ slowness: 3000 }, server)
  for (let index = 0; index < 12; index++) await sendMail(server, { to: `person${index}@example.edu` })
  await send(server)
  await vi.waitFor(() => expect(sms.sent).toHaveLength(1), { timeout: 2000, interval: 20 })
})
