import { expect, onTestFinished, test, vi } from 'vitest'
import { type Context, systemContext, transaction } from '../../platform/platform.ts'
import { messagesLater, messagesTo, outboxOf } from '../../testing/messages.ts'
import { addPerson } from '../../testing/people.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { ACCOUNT, startSmsProvider } from '../../testing/sms-provider.ts'
import { applyBootstrap } from '../bootstrap/index.ts'
import { findReadyChannels, notifyPerson, purgeMessages, sendMessage } from './index.ts'

/** A busy machine needs time. */
const PATIENCE = { timeout: 30_000, interval: 30 }
const DEMO = { env: { DEMO: '1' } }

const code = (to: string) => ({
  template: 'code.login' as const,
  channel: 'sms' as const,
  to,
  userId: null,
  language: 'zh_CN' as const,
  params: { code: '482915', minutes: 5 },
})

const contextOf = ({ platform }: TestServer): Context => systemContext(platform)

/** The whole content of all tables, as text. */
async function printOf({ platform: { sql } }: TestServer): Promise<string> {
  const tables = await sql<{ name: string }[]>`
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition`
  const rows = await Promise.all(
    tables.map(({ name }) => sql<{ text: string }[]>`select t::text as text from ${sql(name)} t`),
  )
  return rows
    .flat()
    .map(({ text }) => text)
    .join('\n')
}

test('a message is sent once its cause is committed, and never if that is rolled back', async () => {
  const server = await testServer(DEMO)
  const ctx = contextOf(server)
  await expect(
    transaction(ctx, async (inner) => {
      await sendMessage(inner, code('13800000009'))
      throw new Error('undone')
    }),
  ).rejects.toThrow('undone')
  await transaction(ctx, (inner) => sendMessage(inner, code('138 0000 0001')))
  const [message] = await messagesTo(server, '+8613800000001')
  expect(message).toMatchObject({ channel: 'sms', text: expect.stringContaining('482915') })
  expect(await outboxOf(server)).toHaveLength(1)
})

test('a person is notified at every bound phone and mailbox, but not at the one they have just used', async () => {
  const server = await testServer(DEMO)
  const userId = await addPerson(server, {
    account: 'li',
    name: '李雷',
    phone: '13800000001',
    mailbox: 'li@example.edu',
  })
  const notice = { userId, template: 'notice.password-changed' as const }
  await transaction(contextOf(server), (inner) => notifyPerson(inner, { ...notice, except: 'sms' }))
  const [mail] = await messagesTo(server, 'li@example.edu')
  expect(mail?.text).toContain('李雷')
  expect(await outboxOf(server)).toHaveLength(1)
  await transaction(contextOf(server), (inner) => notifyPerson(inner, notice))
  await messagesTo(server, '+8613800000001')
  await messagesTo(server, 'li@example.edu', 2)
})

test('without a demo and without a gateway no channel is ready, and sending says so', async () => {
  const server = await testServer()
  expect(await findReadyChannels(server.platform)).toEqual({ mail: false, sms: false })
  await expect(sendMessage(contextOf(server), code('13800000001'))).rejects.toThrow('message.channel-unavailable')
})

test('a provider without a template for notices gets none, and the mail is sent anyway', async () => {
  const server = await testServer(DEMO)
  const provider = await startSmsProvider('tencent')
  onTestFinished(() => provider.close())
  await applyBootstrap(server.platform, { settings: { sms: provider.gateway } }, { source: 'test' })
  const userId = await addPerson(server, { account: 'li', phone: '13800000001', mailbox: 'li@example.edu' })
  const notice = {
    userId,
    template: 'notice.phone-changed' as const,
    alsoTo: [{ channel: 'sms' as const, to: '13800000002' }],
  }
  await transaction(contextOf(server), (inner) => notifyPerson(inner, notice))
  await messagesTo(server, 'li@example.edu')
  expect(await server.platform.sql`select channel from messages`).toEqual([{ channel: 'mail' }])
})

test('an address gets only a limited number of messages per hour, whatever their cause', async () => {
  const server = await testServer(DEMO)
  await applyBootstrap(server.platform, { settings: { messages: { mostPerTargetAndHour: 3 } } }, { source: 'test' })
  const ctx = contextOf(server)
  const sendOne = () => transaction(ctx, (inner) => sendMessage(inner, code('13800000001')))
  const answers = await Promise.allSettled(Array.from({ length: 20 }, sendOne))
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  await expect(sendOne()).rejects.toThrow('message.too-many')
  await transaction(ctx, (inner) => sendMessage(inner, code('13800000002')))
  server.advance(3601)
  await sendOne()
})

test('a used-up hourly limit closes the channel for everybody alike', async () => {
  const server = await testServer(DEMO)
  await applyBootstrap(server.platform, { settings: { messages: { mostSmsAnHour: 2 } } }, { source: 'test' })
  const ctx = contextOf(server)
  for (const to of ['13800000001', '13800000002']) await transaction(ctx, (inner) => sendMessage(inner, code(to)))
  expect(await findReadyChannels(server.platform)).toEqual({ mail: true, sms: false })
  await expect(sendMessage(ctx, code('13800000003'))).rejects.toThrow('message.channel-unavailable')
})

test('codes, addresses and gateway passwords are nowhere in the log or the database, waiting or sent', async () => {
  const lines: string[] = []
  const server = await testServer({ onLog: (line) => lines.push(line) })
  const provider = await startSmsProvider('aliyun', () => server.platform.now())
  onTestFinished(() => provider.close())
  const Message = `busy with 482915 for 13800000001 of ${ACCOUNT.secret}`
  provider.answerNext({ body: { Code: 'isp.SYSTEM_ERROR', Message } })
  await applyBootstrap(server.platform, { settings: { sms: provider.gateway } }, { source: 'test' })
  await transaction(contextOf(server), (inner) => sendMessage(inner, code('13800000001')))
  await vi.waitFor(() => expect(provider.calls()).toBe(1), PATIENCE)
  const waiting = await printOf(server)
  await messagesLater(server, 2)
  await vi.waitFor(() => expect(provider.sent).toHaveLength(1), PATIENCE)
  await vi.waitFor(async () => {
    expect(await server.platform.sql`select state, sealed from messages`).toEqual([{ state: 'sent', sealed: null }])
  }, PATIENCE)
  for (const text of [waiting, await printOf(server), lines.join('\n')]) {
    expect(text).not.toMatch(/482915|13800000001|Gatehouse-secret/)
  }
})

test('waiting, sent and failed messages are counted in the metrics', async () => {
  const server = await testServer(DEMO)
  await transaction(contextOf(server), (inner) => sendMessage(inner, code('13800000001')))
  await messagesTo(server, '+8613800000001')
  await vi.waitFor(async () => {
    const text = await (await fetch(`${server.url}/metrics`)).text()
    expect(text).toContain('gatehouse_messages_total{channel="sms",outcome="sent"} 1')
    expect(text).toContain('gatehouse_messages_waiting{channel="sms"} 0')
    expect(text).toContain('gatehouse_message_gateway_down{channel="mail"} 0')
  }, PATIENCE)
})

test('the record of messages is kept for half a year', async () => {
  const server = await testServer(DEMO)
  await transaction(contextOf(server), (inner) => sendMessage(inner, code('13800000001')))
  server.advance(179 * 86_400)
  await purgeMessages(server.platform)
  expect(await server.platform.sql`select 1 from messages`).toHaveLength(1)
  server.advance(2 * 86_400)
  await purgeMessages(server.platform)
  expect(await server.platform.sql`select 1 from messages`).toHaveLength(0)
})
