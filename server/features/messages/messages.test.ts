import { expect, test } from 'vitest'
import { type Context, systemContext, transaction } from '../../platform/platform.ts'
import { messagesTo, outboxOf } from '../../testing/messages.ts'
import { addPerson } from '../../testing/people.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { channelsReady, notifyPerson, sendMessage } from './index.ts'

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

test('a message leaves once what caused it is committed, and never when that is undone', async () => {
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

test('a person is told at every bound phone and mailbox, but not at the one they have just used', async () => {
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
  expect(await channelsReady(server.platform)).toEqual({ mail: false, sms: false })
  await expect(sendMessage(contextOf(server), code('13800000001'))).rejects.toThrow('message.channel-unavailable')
})
