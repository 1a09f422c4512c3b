import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Platform } from '../../platform/platform.ts'
import { isGatewayDown, isTransient, type Outcome, type SendingReason } from '../../platform/sending.ts'
import { type Looking, workOnQueue } from '../../platform/work-queue.ts'
import { channelsDown, noteGatewayFailure, resetGateway } from './gateways.store.ts'
import { handOver } from './hand-over.ts'
import {
  type Channel,
  type Claimed,
  claimDueMessages,
  countWaiting,
  expireMessages,
  QUEUE,
  settleMessage,
} from './messages.store.ts'

const CHANNELS: readonly Channel[] = ['mail', 'sms']
/** Under way at once on this node, of each channel. */
const MOST_AT_ONCE = 8
/** Longer than any attempt, so that only a dead node's messages are taken over. */
const LEASE_SECONDS = 60
/** Seconds until the next attempt; after the last of them there is none. */
const PAUSES = [1, 5, 30, 300, 1800, 7200]
/** So many failures of a gateway in a row, and it rests. */
const MOST_FAILURES = 5
const REST_SECONDS = 60

/** Sends messages for as long as the server runs. */
export function mountMessages(app: FastifyInstance, platform: Platform): void {
  watch(platform)
  let running: { stop(): Promise<void> } | null = null
  app.addHook('onReady', async () => {
    running = await startDelivery(platform)
  })
  app.addHook('onClose', async () => running?.stop())
}

function watch(platform: Platform): void {
  const { sql, now, metrics } = platform
  metrics.gauge('gatehouse_messages_waiting', 'Messages that have not left yet', 'channel', () => countWaiting(sql))
  metrics.gauge('gatehouse_message_gateway_down', '1 while a channel rests after failures', 'channel', async () => {
    const down = await channelsDown(sql, now())
    return { mail: down.has('mail') ? 1 : 0, sms: down.has('sms') ? 1 : 0 }
  })
}

const count = ({ metrics }: Platform, channel: Channel, outcome: 'sent' | 'postponed' | 'failed' | 'expired') =>
  metrics.count('gatehouse_messages_total', 'What became of messages, and of attempts', { channel, outcome })

type UnderWay = Record<Channel, Set<Promise<void>>>

/**
 * Sends what has been queued, from the commit on, in the background. Every node takes part; a message whose node died is sent by
 * another under the same id.
 */
function startDelivery(platform: Platform): Promise<{ stop(): Promise<void> }> {
  const underWay: UnderWay = { mail: new Set(), sms: new Set() }
  const takeDue = (looking: Looking) => sendDue(platform, underWay, looking)
  return workOnQueue(platform, { channel: QUEUE, name: 'messages', takeDue })
}

async function sendDue(platform: Platform, underWay: UnderWay, looking: Looking): Promise<void> {
  for (const { channel } of await expireMessages(platform.sql, platform.now())) count(platform, channel, 'expired')
  for (const channel of CHANNELS) {
    const room = MOST_AT_ONCE - underWay[channel].size
    if (room <= 0) continue
    const now = platform.now()
    const leaseUntil = new Date(now.getTime() + LEASE_SECONDS * 1000)
    for (const message of await claimDueMessages(platform.sql, { channel, now, leaseUntil, most: room })) {
      start(platform, message, underWay[channel], looking)
    }
  }
}

function start(platform: Platform, message: Claimed, underWay: Set<Promise<void>>, looking: Looking): void {
  const work = send(platform, message)
    .then((retryIn) => {
      if (retryIn !== null) looking.lookIn(retryIn)
    })
    .finally(() => {
      const wasFull = underWay.size >= MOST_AT_ONCE
      underWay.delete(work)
      if (wasFull) looking.look()
    })
  underWay.add(work)
  looking.underWay(work)
}

const Contents = z.object({
  to: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
  at: z.coerce.date(),
})
export type Contents = z.infer<typeof Contents>

/** @returns the seconds until the next attempt, or null when there is none. */
async function send(platform: Platform, message: Claimed): Promise<number | null> {
  // A node that dies or stumbles over a message each time must not go on with it until it expires.
  if (message.attempts > PAUSES.length + 1) return await giveUp(platform, message)
  const contents = Contents.parse(JSON.parse(platform.secrets.open(message.sealed)))
  const { gateway, outcome } = await handOver(platform, { ...message, ...contents })
  await noteGateway(platform, message.channel, outcome)
  if (outcome.sent) {
    await settleMessage(platform.sql, message.id, {
      ...OVER,
      state: 'sent',
      gateway,
      gatewayId: outcome.gatewayId,
      now: platform.now(),
    })
    count(platform, message.channel, 'sent')
    return null
  }
  const pause = pauseAfter(platform, message, outcome.reason)
  await settleMessage(platform.sql, message.id, {
    ...OVER,
    state: pause === null ? 'failed' : 'pending',
    gateway,
    reason: outcome.reason,
    error: withoutContents(outcome.words, contents),
    nextAttemptAt: pause === null ? null : new Date(platform.now().getTime() + pause * 1000),
    now: platform.now(),
  })
  count(platform, message.channel, pause === null ? 'failed' : 'postponed')
  return pause
}

const OVER = { gatewayId: null, reason: null, error: null, nextAttemptAt: null }

async function giveUp(platform: Platform, { id, channel }: Claimed): Promise<null> {
  const now = platform.now()
  await settleMessage(platform.sql, id, { ...OVER, state: 'failed', gateway: null, reason: 'interrupted', now })
  count(platform, channel, 'failed')
  return null
}

/** Seconds until another attempt, or null when it would be of no use or too late. */
function pauseAfter({ now }: Platform, { attempts, expiresAt }: Claimed, reason: SendingReason): number | null {
  const pause = PAUSES[attempts - 1]
  if (pause === undefined || !isTransient(reason)) return null
  return now().getTime() + pause * 1000 < expiresAt.getTime() ? pause : null
}

async function noteGateway({ sql, now }: Platform, channel: Channel, outcome: Outcome): Promise<void> {
  if (outcome.sent) return resetGateway(sql, channel)
  if (!isGatewayDown(outcome.reason)) return
  const restUntil = new Date(now().getTime() + REST_SECONDS * 1000)
  await noteGatewayFailure(sql, { channel, reason: outcome.reason, most: MOST_FAILURES, restUntil })
}

const MOST_WORDS = 300

/** What a gateway said may repeat the address and the code; neither belongs into a record. */
function withoutContents(words: string, { to, params }: Contents): string {
  const bare = to.replace(/^\+86/, '')
  const told = [to, bare, ...Object.values(params).map(String)].filter((value) => value.length >= 4)
  return told.reduce((text, value) => text.replaceAll(value, '***'), words).slice(0, MOST_WORDS)
}
