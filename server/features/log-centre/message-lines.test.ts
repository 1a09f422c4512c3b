import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type MessageLogLine, type Sending, searchMessages } from '#shared/contract/message-log.ts'
import { systemContext, transaction } from '../../platform/platform.ts'
import { startMailServer } from '../../testing/mail-server.ts'
import { addPerson } from '../../testing/people.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { startSmsProvider } from '../../testing/sms-provider.ts'
import { applyBootstrap } from '../bootstrap/index.ts'
import { sendMessage } from '../messages/index.ts'

type Found = { records: MessageLogLine[]; searchedBackTo: string | null; next: string | null }
type Line = MessageLogLine & { route: Sending[] }

const CODE = '482915'
const MAILBOX = 'lilei@example.edu'
let server: TestServer
let root: Portal
let lilei: string
let mail: Awaited<ReturnType<typeof startMailServer>>
let sms: Awaited<ReturnType<typeof startSmsProvider>>

/** The SMS gateway refuses Li Lei's code, which is then sent by mail. */
beforeAll(async () => {
  mail = await startMailServer({})
  sms = await startSmsProvider('gateway', () => server?.platform.now() ?? new Date())
  server = await startTestServer()
  const settings = {
    mail: { host: '127.0.0.1', port: mail.port, security: 'none', from: 'portal@school.test' },
    messageRoutes: { login: [{ channel: 'sms' }, { channel: 'mail' }] },
    sms: sms.gateway,
  }
  await applyBootstrap(server.platform, { settings }, { source: 'test' })
  lilei = await addPerson(server, { account: 'lilei', name: 'Li Lei', phone: '+8613800000001', mailbox: MAILBOX })
  root = await openPortal(server, { isSuperUser: true, account: 'root' })
  sms.answerNext({ status: 200, body: { code: 4, message: `no number 13800000001, code ${CODE}` } })
  await sendCode('code.login')
  await vi.waitFor(() => expect(mail.arrived).toHaveLength(1), { timeout: 20_000 })
})
afterAll(async () => {
  await server.close()
  await mail.close()
  sms.close()
})

const sendCode = (template: 'code.login' | 'code.bind-mailbox') =>
  transaction(systemContext(server.platform), (inner) =>
    sendMessage(inner, {
      template,
      channel: template === 'code.login' ? 'sms' : 'mail',
      to: template === 'code.login' ? '+8613800000001' : MAILBOX,
      userId: lilei,
      language: 'en',
      params: { code: CODE, minutes: 5 },
      isBound: template === 'code.bind-mailbox',
    }),
  )

const search = async (query: Record<string, string> = {}, page = root) => {
  const { data } = await page.call<Found>(`/message_log/query/?${new URLSearchParams(query)}`)
  expect(searchMessages.output.parse(data)).toEqual(data)
  return data
}
const channelsOf = ({ records }: Found) => records.map(({ channel }) => channel)
const details = (key: string, page = root) => page.call<Line>(`/message_log/details/?${new URLSearchParams({ key })}`)

test('a message that fell over is found on both channels, with what the first one said and which took over', async () => {
  const found = await search({ userId: lilei, purpose: 'login' })
  expect(found.records).toMatchObject([
    { channel: 'mail', state: 'sent', reason: null, next: null, to: 'l***@example.edu', attempts: 1 },
    {
      channel: 'sms',
      state: 'failed',
      reason: 'rejected',
      code: '4',
      next: 'mail',
      to: '138****0001',
      person: 'Li Lei',
    },
  ])
  const { data } = await details(found.records[1]?.key ?? '')
  expect(data.route.map(({ channel, state }) => `${channel} ${state}`)).toEqual(['sms failed', 'mail sent'])
  expect(data.route[0]?.words).toContain('no number ***')
  expect(JSON.stringify([found, data])).not.toContain(CODE)
  expect(JSON.stringify([found, data])).not.toContain(MAILBOX)
})

test('each filter finds its messages, the receiver by the complete address only', async () => {
  await sendCode('code.bind-mailbox')
  await vi.waitFor(async () => expect((await search({ state: 'sent' })).records).toHaveLength(2), { timeout: 20_000 })
  expect(channelsOf(await search({ channel: 'sms' }))).toEqual(['sms'])
  expect(channelsOf(await search({ state: 'failed' }))).toEqual(['sms'])
  expect(channelsOf(await search({ purpose: 'other' }))).toEqual(['mail'])
  expect(channelsOf(await search({ purpose: 'dormancy' }))).toEqual([])
  expect(channelsOf(await search({ receiver: ` ${MAILBOX.toUpperCase()} ` }))).toEqual(['mail', 'mail'])
  expect(channelsOf(await search({ receiver: '138 0000 0001' }))).toEqual(['sms'])
  expect(channelsOf(await search({ receiver: 'lilei@example' }))).toEqual([])
  expect(channelsOf(await search({ search: 'Li Lei' }))).toEqual(['mail', 'mail', 'sms'])
  expect(channelsOf(await search({ to: new Date(server.platform.now().getTime() - 3_600_000).toISOString() }))).toEqual(
    [],
  )
  for (const [without, expected] of [
    ['channel=mail', ['sms']],
    ['purpose=other', ['mail', 'sms']],
    ['purpose=login', ['mail']],
    ['state=sent', ['sms']],
    ['state=undelivered-code', ['mail', 'mail', 'sms']],
    [`userId=${lilei}`, []],
    ['organizationId=nowhere&categoryId=none&channel=sms', ['mail', 'mail']],
  ] as const) {
    expect([without, channelsOf(await search({ without }))]).toEqual([without, expected])
  }
  expect((await root.call('/message_log/query/?without=receiver%3Dx')).envelope).toMatchObject({
    code: 'request.invalid',
  })
  expect((await root.call('/message_log/query/?channel=fax')).envelope).toMatchObject({ code: 'request.invalid' })
})

test('pages follow each other without gap or repetition, also at the same moment', async () => {
  await server.platform.sql`
    insert into messages (id, channel, template, language, masked_to, target_hash, state, next_attempt_at, expires_at, created_at)
    select gen_random_uuid(), 'dingtalk', 'code.login', 'en', '138****0001', 'x', 'sent', t.at, t.at, t.at
    from (select ${server.platform.now()}::timestamptz - interval '40 days' * (n % 3) as at from generate_series(1, 60) n) t`
  const seen: string[] = []
  let after: string | null = ''
  while (after !== null) {
    const page = await search({ channel: 'dingtalk', pageSize: '7', ...(after && { after }) })
    seen.push(...page.records.map(({ id }) => id))
    after = page.next
  }
  expect(seen).toHaveLength(60)
  expect(new Set(seen).size).toBe(60)
})

test('what a gateway said is for super users; administrators of others find nothing', async () => {
  const { sql } = server.platform
  const [inside] = await sql<{ id: string }[]>`
    insert into organizations (id, code, name, ancestor_ids, created_at, updated_at)
    values ('0199a000-0000-7000-8000-000000000001', 'cs', 'CS', '{0199a000-0000-7000-8000-000000000001}', now(), now()),
      ('0199a000-0000-7000-8000-000000000002', 'art', 'Art', '{0199a000-0000-7000-8000-000000000002}', now(), now())
    returning id`
  await sql`update users set organization_id = ${inside?.id ?? ''} where id = ${lilei}`
  const dean = await openPortal(server, { permissions: [], administers: inside?.id ?? '' })
  const found = await search({ channel: 'sms' }, dean)
  expect(found.records).toMatchObject([{ person: 'Li Lei', reason: 'rejected', code: '4', words: null }])
  const key = found.records[0]?.key ?? ''
  expect((await details(key, dean)).data.route[0]).toMatchObject({ channel: 'sms', words: null })
  const other = await openPortal(server, { permissions: [], administers: '0199a000-0000-7000-8000-000000000002' })
  expect((await search({ receiver: MAILBOX }, other)).records).toEqual([])
  expect((await details(key, other)).envelope.code).toBe('record.not-found')
})

test('reading the log of messages is recorded, with who read it and when', async () => {
  const reader = await openPortal(server, { isSuperUser: true, account: 'reader' })
  const before = server.platform.now()
  await search({}, reader)
  const after = server.platform.now()
  const records = await server.platform.sql<{ actorId: string; at: Date }[]>`
    select actor_id, at from audit_records
    where action = 'records.read' and target_id = 'message-log' and at between ${before} and ${after}`
  expect(records.map(({ actorId }) => actorId)).toEqual([reader.user.userId])
})
