import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import type { TestServer } from './server.ts'

export type OutboxMessage = { channel: 'mail' | 'sms'; to: string; subject: string; text: string }

/** Messages sent by a server in demo mode (`env: { DEMO: '1' }`, no gateway configured), newest first. */
export async function outboxOf({ platform }: TestServer): Promise<OutboxMessage[]> {
  const rows = await platform.sql<{ sealed: string }[]>`
    select sealed from outbox_messages order by created_at desc, id desc`
  return rows.map(({ sealed }) => JSON.parse(platform.secrets.open(sealed)) as OutboxMessage)
}

/** Waits until `count` messages to `to` were sent, fifteen seconds at most. @returns them, newest first */
export async function messagesTo(server: TestServer, to: string, count = 1): Promise<OutboxMessage[]> {
  const deadline = Date.now() + 15_000
  for (;;) {
    const messages = (await outboxOf(server)).filter((message) => message.to === to)
    if (messages.length >= count) return messages
    expect(Date.now(), `${count} messages to ${to}`).toBeLessThan(deadline)
    await pause(20)
  }
}

/** The verification code of the newest message to an address or number (E.164). */
export async function codeSentTo(server: TestServer, to: string, count = 1): Promise<string> {
  const [message] = await messagesTo(server, to, count)
  return /(?<!\d)\d{6}(?!\d)/.exec(message?.text ?? '')?.[0] ?? ''
}

/** Moves the clock, and lets the nodes poll for messages that are due by then. */
export async function messagesLater(server: TestServer, seconds: number): Promise<void> {
  server.advance(seconds)
  await server.platform.sql`select pg_notify('gatehouse_messages', '')`
}
