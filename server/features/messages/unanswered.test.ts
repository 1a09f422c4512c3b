import { expect, onTestFinished, test, vi } from 'vitest'
import { systemContext, transaction } from '../../platform/platform.ts'
import { CODE, PHONE, sendLoginCode } from '../../testing/code-messages.ts'
import { startMailServer } from '../../testing/mail-server.ts'
import { messagesLater } from '../../testing/messages.ts'
import { addPerson } from '../../testing/people.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { startSmsProvider } from '../../testing/sms-provider.ts'
import { applyBootstrap } from '../bootstrap/index.ts'
import { notifyPerson } from './index.ts'

/** A school whose text messages go through a provider, with a person; `settings`: further ones. */
async function openSchool(
  kind: 'aliyun' | 'tencent' | 'gateway',
  settings: Record<string, unknown> = {},
  options: Parameters<typeof testServer>[0] = {},
) {
  let server: TestServer | undefined
  const sms = await startSmsProvider(kind, () => server?.platform.now() ?? new Date())
  onTestFinished(() => sms.close())
  server = await testServer(options)
  await applyBootstrap(server.platform, { settings: { sms: sms.gateway, ...settings } }, { source: 'test' })
  const mailbox = 'lilei@example.edu'
  const userId = await addPerson(server, { account: 'lilei', name: 'Li Lei', phone: PHONE, mailbox })
  return { server, sms, userId }
}

type School = Awaited<ReturnType<typeof openSchool>>

type Row = { channel: string; state: string; attempts: number; reason: string | null; code: string | null }
const expectRows = ({ server }: School, ...rows: Partial<Row>[]) =>
  vi.waitFor(
    async () =>
      expect(
        await server.platform.sql<Row[]>`
          select channel, state, attempts, reason, error_code as code from messages
          -- Not while it is being sent.
          where state <> 'pending' or reason is not null order by created_at, id`,
      ).toMatchObject(rows),
    { timeout: 30_000, interval: 30 },
  )

test.each([
  ['aliyun', { loseAnswer: true }, null],
  ['tencent', { loseAnswer: true }, null],
  ['tencent', { status: 504, body: '<html>a proxy</html>' }, '504'],
  ['tencent', { status: 502, body: '<html>a proxy</html>' }, '502'],
  ['aliyun', { status: 500, body: '<html>a proxy</html>' }, '500'],
] as const)('a code that %s may have accepted (%j) is not sent there again', async (kind, reply, code) => {
  const school = await openSchool(kind)
  school.sms.answerNext(reply)
  await sendLoginCode(school)
  await expectRows(school, { state: 'failed', attempts: 1, reason: 'unanswered', code })
  await messagesLater(school.server, 120)
  expect(school.sms.calls()).toBe(1)
})

test('the next channel of the route sends the same code at once', async () => {
  const mail = await startMailServer({})
  onTestFinished(() => mail.close())
  const school = await openSchool('aliyun', {
    mail: { host: '127.0.0.1', port: mail.port, security: 'none', from: 'portal@school.test' },
    messageRoutes: { login: [{ channel: 'sms', seconds: 100 }, { channel: 'mail' }] },
  })
  school.sms.answerNext({ loseAnswer: true })
  await sendLoginCode(school)
  await expectRows(
    school,
    { channel: 'sms', state: 'failed', reason: 'unanswered', attempts: 1 },
    { channel: 'mail', state: 'sent' },
  )
  await messagesLater(school.server, 120)
  expect(school.sms.sent.map(({ values }) => values)).toEqual([{ code: CODE }])
  expect(mail.arrived.map(({ mail: { text } }) => text)).toEqual([expect.stringContaining(CODE)])
})

test('what recognises a repetition by its id is tried again: the own message platform', async () => {
  const school = await openSchool('gateway')
  school.sms.answerNext({ loseAnswer: true })
  await sendLoginCode(school)
  await expectRows(school, { state: 'pending', attempts: 1, reason: 'unreachable' })
  await messagesLater(school.server, 2)
  await expectRows(school, { state: 'sent', attempts: 2 })
  expect(new Set(school.sms.sent.map(({ id }) => id)).size).toBe(1)
})

test('a notice is sent again after an answer that was lost: nobody would ask for it', async () => {
  const school = await openSchool('aliyun')
  const { server, sms, userId } = school
  await server.platform.sql`update users set mailbox = null where id = ${userId}`
  sms.answerNext({ loseAnswer: true })
  await transaction(systemContext(server.platform), (inner) =>
    notifyPerson(inner, { userId, template: 'notice.password-changed' }),
  )
  await expectRows(school, { channel: 'sms', state: 'pending', attempts: 1, reason: 'unreachable' })
  await messagesLater(server, 2)
  await expectRows(school, { channel: 'sms', state: 'sent', attempts: 2 })
})

test('a provider that no connection reaches has accepted nothing, so the code waits for it', async () => {
  const school = await openSchool('tencent')
  school.sms.close()
  await sendLoginCode(school)
  await expectRows(school, { state: 'pending', attempts: 1, reason: 'connection-refused' })
})

test('nor does a proxy that is too busy pass anything on', async () => {
  const school = await openSchool('aliyun')
  school.sms.answerNext({ status: 503, body: '<html>a proxy</html>' })
  await sendLoginCode(school)
  await expectRows(school, { state: 'pending', attempts: 1, reason: 'busy', code: '503' })
})

const failed = (code: string, syscall: string) => Object.assign(new Error(`${syscall} ${code}`), { code, syscall })
/** As of a name with several addresses: it has the code of the first. */
const failedAll = (...errors: ReturnType<typeof failed>[]) =>
  Object.assign(new AggregateError(errors), { code: errors[0]?.code })

test.each([
  ['ENETDOWN', failed('ENETDOWN', 'connect'), 'unreachable'],
  ['EHOSTDOWN', failed('EHOSTDOWN', 'connect'), 'unreachable'],
  ['a time-out', failed('ETIMEDOUT', 'connect'), 'timeout'],
  ['several addresses', failedAll(failed('ETIMEDOUT', 'connect'), failed('ENETUNREACH', 'connect')), 'timeout'],
])('a code waits where no connection came about: %s', async (_, cause, reason) => {
  const refuse = () => Promise.reject(Object.assign(new TypeError('fetch failed'), { cause }))
  const school = await openSchool('tencent', {}, { fetch: refuse })
  await sendLoginCode(school)
  await expectRows(school, { state: 'pending', attempts: 1, reason })
})

test.each([
  ['read', failed('ETIMEDOUT', 'read')],
  ['one of several', failedAll(failed('ETIMEDOUT', 'connect'), failed('ECONNRESET', 'read'))],
])('and not where a connection was lost: %s', async (_, cause) => {
  const refuse = () => Promise.reject(Object.assign(new TypeError('fetch failed'), { cause }))
  const school = await openSchool('tencent', {}, { fetch: refuse })
  await sendLoginCode(school)
  await expectRows(school, { state: 'failed', attempts: 1, reason: 'unanswered' })
})
