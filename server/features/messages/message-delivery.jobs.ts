import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import {
  type DeliveryOutcome,
  isGatewayDown,
  isTransient,
  type SendingReason,
} from '../../platform/message-delivery.ts'
import type { Platform } from '../../platform/platform.ts'
import { type QueuePoller, runWorkQueue } from '../../platform/work-queue.ts'
import { findChannelsDown, recordGatewayFailure, resetGateway } from './gateways.store.ts'
import { transportMessage } from './message-transport.service.ts'
import {
  type Channel,
  type ClaimedMessage,
  claimDueMessages,
  countWaiting,
  expireMessages,
  finishMessage,
  QUEUE,
} from './messages.store.ts'

const CHANNELS: readonly Channel[] = ['mail', 'sms']
/** Under way at once on this node, of each channel. */
const MAX_CONCURRENT = 8
/** Longer than any attempt, so that only a dead node's messages are taken over. */
const LEASE_SECONDS = 60
/** Seconds until the next attempt; after the last of them there is none. */
const RETRY_DELAYS_SECONDS = [1, 5, 30, 300, 1800, 7200]
/** So many failures of a gateway in a row, and it rests. */
const MAX_FAILURES = 5
const GATEWAY_COOLDOWN_SECONDS = 60

/** Sends messages for as long as the server runs. */
export function mountMessages(app: FastifyInstance, platform: Platform): void {
  registerMetrics(platform)
  let running: { stop(): Promise<void> } | null = null
  app.addHook('onReady', async () => {
    running = await startDelivery(platform)
  })
  app.addHook('onClose', async () => running?.stop())
}

function registerMetrics(platform: Platform): void {
  const { sql, now, metrics } = platform
  metrics.gauge('gatehouse_messages_waiting', 'Messages that have not left yet', 'channel', () => countWaiting(sql))
  metrics.gauge('gatehouse_message_gateway_down', '1 while a channel rests after failures', 'channel', async () => {
    const down = await findChannelsDown(sql, now())
    return { mail: down.has('mail') ? 1 : 0, sms: down.has('sms') ? 1 : 0 }
  })
}

const countOutcome = ({ metrics }: Platform, channel: Channel, outcome: 'sent' | 'postponed' | 'failed' | 'expired') =>
  metrics.increment('gatehouse_messages_total', 'What became of messages, and of attempts', { channel, outcome })

type RunningDeliveries = Record<Channel, Set<Promise<void>>>

/**
 * Sends what has been queued, from the commit on, in the background. Every node takes part; a message whose node died is sent by
 * another under the same id.
 */
function startDelivery(platform: Platform): Promise<{ stop(): Promise<void> }> {
  const underWay: RunningDeliveries = { mail: new Set(), sms: new Set() }
  const takeDue = (looking: QueuePoller) => deliverDue(platform, underWay, looking)
  return runWorkQueue(platform, { channel: QUEUE, name: 'messages', claimDue: takeDue })
}

async function deliverDue(platform: Platform, underWay: RunningDeliveries, looking: QueuePoller): Promise<void> {
  for (const { channel } of await expireMessages(platform.sql, platform.now()))
    countOutcome(platform, channel, 'expired')
  for (const channel of CHANNELS) {
    const room = MAX_CONCURRENT - underWay[channel].size
    if (room <= 0) continue
    const now = platform.now()
    const leaseUntil = new Date(now.getTime() + LEASE_SECONDS * 1000)
    for (const message of await claimDueMessages(platform.sql, { channel, now, leaseUntil, most: room })) {
      beginDelivery(platform, message, underWay[channel], looking)
    }
  }
}

function beginDelivery(
  platform: Platform,
  message: ClaimedMessage,
  underWay: Set<Promise<void>>,
  looking: QueuePoller,
): void {
  const work = deliverMessage(platform, message)
    .then((retryIn) => {
      if (retryIn !== null) looking.pollIn(retryIn)
    })
    .finally(() => {
      const wasFull = underWay.size >= MAX_CONCURRENT
      underWay.delete(work)
      if (wasFull) looking.poll()
    })
  underWay.add(work)
  looking.track(work)
}

const Contents = z.object({
  to: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
  at: z.coerce.date(),
})
export type Contents = z.infer<typeof Contents>

/** @returns the seconds until the next attempt, or null when there is none. */
async function deliverMessage(platform: Platform, message: ClaimedMessage): Promise<number | null> {
  // A node that dies or stumbles over a message each time must not go on with it until it expires.
  if (message.attempts > RETRY_DELAYS_SECONDS.length + 1) return await failMessage(platform, message)
  const contents = Contents.parse(JSON.parse(platform.secrets.open(message.sealed)))
  const { gateway, outcome } = await transportMessage(platform, { ...message, ...contents })
  await recordGatewayOutcome(platform, message.channel, outcome)
  if (outcome.sent) {
    await finishMessage(platform.sql, message.id, {
      ...NO_RESULT,
      state: 'sent',
      gateway,
      gatewayId: outcome.gatewayId,
      now: platform.now(),
    })
    countOutcome(platform, message.channel, 'sent')
    return null
  }
  const pause = retryDelay(platform, message, outcome.reason)
  await finishMessage(platform.sql, message.id, {
    ...NO_RESULT,
    state: pause === null ? 'failed' : 'pending',
    gateway,
    reason: outcome.reason,
    error: redactContents(outcome.words, contents),
    nextAttemptAt: pause === null ? null : new Date(platform.now().getTime() + pause * 1000),
    now: platform.now(),
  })
  countOutcome(platform, message.channel, pause === null ? 'failed' : 'postponed')
  return pause
}

const NO_RESULT = { gatewayId: null, reason: null, error: null, nextAttemptAt: null }

async function failMessage(platform: Platform, { id, channel }: ClaimedMessage): Promise<null> {
  const now = platform.now()
  await finishMessage(platform.sql, id, { ...NO_RESULT, state: 'failed', gateway: null, reason: 'interrupted', now })
  countOutcome(platform, channel, 'failed')
  return null
}

/** Seconds until another attempt, or null when it would be of no use or too late. */
function retryDelay({ now }: Platform, { attempts, expiresAt }: ClaimedMessage, reason: SendingReason): number | null {
  const pause = RETRY_DELAYS_SECONDS[attempts - 1]
  if (pause === undefined || !isTransient(reason)) return null
  return now().getTime() + pause * 1000 < expiresAt.getTime() ? pause : null
}

async function recordGatewayOutcome({ sql, now }: Platform, channel: Channel, outcome: DeliveryOutcome): Promise<void> {
  if (outcome.sent) return resetGateway(sql, channel)
  if (!isGatewayDown(outcome.reason)) return
  const restUntil = new Date(now().getTime() + GATEWAY_COOLDOWN_SECONDS * 1000)
  await recordGatewayFailure(sql, { channel, reason: outcome.reason, most: MAX_FAILURES, restUntil })
}

const MAX_WORDS_LENGTH = 300

/** What a gateway said may repeat the address and the code; neither belongs into a record. */
function redactContents(words: string, { to, params }: Contents): string {
  const bare = to.replace(/^\+86/, '')
  const secrets = [to, bare, ...Object.values(params).map(String)].filter((value) => value.length >= 4)
  return secrets.reduce((text, value) => text.replaceAll(value, '***'), words).slice(0, MAX_WORDS_LENGTH)
}
