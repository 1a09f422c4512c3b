import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { MESSAGE_CHANNELS, type MessageChannel } from '#shared/contract/message-routes.ts'
import {
  type DeliveryOutcome,
  isGatewayDown,
  isTransient,
  type SendingReason,
} from '../../platform/message-delivery.ts'
import { type Context, type Platform, systemContext, transaction } from '../../platform/platform.ts'
import { type QueuePoller, runWorkQueue } from '../../platform/work-queue.ts'
import { findChannelsDown, recordGatewayFailure, resetGateway } from './gateways.store.ts'
import { enqueueDraft } from './message-queue.service.ts'
import { takeFromDay } from './message-route.service.ts'
import { transportMessage } from './message-transport.service.ts'
import {
  type ClaimedMessage,
  claimDueMessages,
  countWaiting,
  expireMessages,
  finishMessage,
  lockFallingOver,
  type MessageResult,
  QUEUE,
} from './messages.store.ts'

/** Concurrent messages on this node, per channel. */
const MAX_CONCURRENT = 8
/** Longer than any attempt, so that only a dead node's messages are taken over. */
const LEASE_SECONDS = 60
/** Seconds until the next attempt; none after the last. */
const RETRY_DELAYS_SECONDS = [1, 5, 30, 300, 1800, 7200]
/** Messages that fall back in one transaction. */
const MAX_FALLING_OVER = 50
/** After this many failures in a row, a gateway is suspended. */
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
    return Object.fromEntries(MESSAGE_CHANNELS.map((channel) => [channel, down.has(channel) ? 1 : 0]))
  })
}

const countOutcome = (
  { metrics }: Platform,
  channel: MessageChannel,
  outcome: 'sent' | 'postponed' | 'failed' | 'expired',
) => metrics.increment('gatehouse_messages_total', 'What became of messages, and of attempts', { channel, outcome })

type RunningDeliveries = Record<MessageChannel, Set<Promise<void>>>

/**
 * Sends queued messages in the background, from their commit on. Every node takes part; a dead node's message is sent by another under the
 * same id.
 */
function startDelivery(platform: Platform): Promise<{ stop(): Promise<void> }> {
  const underWay: RunningDeliveries = {
    mail: new Set(),
    sms: new Set(),
    wecom: new Set(),
    dingtalk: new Set(),
    http: new Set(),
  }
  const takeDue = (looking: QueuePoller) => deliverDue(platform, underWay, looking)
  return runWorkQueue(platform, { channel: QUEUE, name: 'messages', claimDue: takeDue })
}

async function deliverDue(platform: Platform, underWay: RunningDeliveries, looking: QueuePoller): Promise<void> {
  for (const { channel } of await expireMessages(platform.sql, platform.now()))
    countOutcome(platform, channel, 'expired')
  await fallOver(platform)
  for (const channel of MESSAGE_CHANNELS) {
    const room = MAX_CONCURRENT - underWay[channel].size
    if (room <= 0) continue
    const now = platform.now()
    const leaseUntil = new Date(now.getTime() + LEASE_SECONDS * 1000)
    for (const message of await claimDueMessages(platform.sql, { channel, now, leaseUntil, most: room })) {
      // Also if its channel is suspended by then, and nobody tries it.
      if (message.fallOverAt) looking.pollIn(secondsUntil(message.fallOverAt, now))
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
  /** The remaining channels, with this person's address at each. */
  next: z
    .array(z.object({ channel: z.enum(MESSAGE_CHANNELS), to: z.string(), seconds: z.number() }))
    .max(MESSAGE_CHANNELS.length)
    .default([]),
})
export type Contents = z.infer<typeof Contents>

const secondsUntil = (at: Date, now: Date): number => Math.max(0, (at.getTime() - now.getTime()) / 1000)

/** Messages whose channel has had its time move on to the next one; not those being sent right now. */
async function fallOver(platform: Platform): Promise<void> {
  const { now } = platform
  for (let found = MAX_FALLING_OVER; found === MAX_FALLING_OVER; ) {
    found = await transaction(systemContext(platform), async (inner) => {
      const late = await lockFallingOver(inner.db, { now: now(), most: MAX_FALLING_OVER })
      // An attempt that failed tells more than that the time was over.
      for (const message of late) await passOn(inner, message, { reason: message.reason ?? 'too-slow' })
      return late.length
    })
  }
}

/** Marks a message as failed, and queues it on the next channel of its route, in the caller's transaction. */
async function passOn(inner: Context, message: ClaimedMessage, result: Partial<MessageResult>): Promise<void> {
  const now = inner.now()
  const failed = { ...NO_RESULT, ...result, state: 'failed' as const, now }
  if (!(await finishMessage(inner.db, message.id, failed))) return
  countOutcome(inner, message.channel, 'failed')
  const { params, at, next } = openContents(inner, message)
  const { id, template, userId, language, expiresAt } = message
  // An expired code helps nobody.
  if (next.length === 0 || expiresAt <= now) return
  const routeId = message.routeId ?? id
  await enqueueDraft(inner, { template, userId, language, params, at, expiresAt, routeId, targets: next })
}

const openContents = ({ secrets }: Platform, { sealed }: ClaimedMessage): Contents =>
  Contents.parse(JSON.parse(secrets.open(sealed)))

/** @returns the seconds until the next attempt, or null if there is none */
async function deliverMessage(platform: Platform, message: ClaimedMessage): Promise<number | null> {
  const giveUp = (result: Partial<MessageResult>) =>
    transaction(systemContext(platform), (inner) => passOn(inner, message, result)).then(() => null)
  // A message that crashes its node each time must not be retried until it expires.
  if (message.attempts > RETRY_DELAYS_SECONDS.length + 1) return await giveUp({ reason: 'interrupted' })
  if (message.attempts === 1 && !(await takeFromDay(platform, message.channel)))
    return await giveUp({ reason: 'quota' })
  const contents = openContents(platform, message)
  const { gateway, outcome } = await transportMessage(platform, { ...message, ...contents })
  await recordGatewayOutcome(platform, message.channel, outcome)
  const now = platform.now()
  if (outcome.sent) {
    const sent = { ...NO_RESULT, state: 'sent' as const, gateway, gatewayId: outcome.gatewayId, now }
    await finishMessage(platform.sql, message.id, sent)
    countOutcome(platform, message.channel, 'sent')
    return null
  }
  const failure = {
    gateway,
    reason: outcome.reason,
    error: redactContents(outcome.words, contents),
    errorCode: outcome.code && redactContents(outcome.code, contents),
  }
  const pause = retryDelay(platform, message, outcome.reason)
  if (pause === null || (message.fallOverAt && message.fallOverAt <= now)) return await giveUp(failure)
  const nextAttemptAt = new Date(now.getTime() + pause * 1000)
  await finishMessage(platform.sql, message.id, { ...NO_RESULT, ...failure, state: 'pending', nextAttemptAt, now })
  countOutcome(platform, message.channel, 'postponed')
  return pause
}

const NO_RESULT = { gateway: null, gatewayId: null, reason: null, error: null, errorCode: null, nextAttemptAt: null }

/** Seconds until another attempt, or null if that would be useless or too late. */
function retryDelay(
  { now }: Platform,
  { attempts, expiresAt, fallOverAt }: ClaimedMessage,
  reason: SendingReason,
): number | null {
  const delay = RETRY_DELAYS_SECONDS[attempts - 1]
  if (delay === undefined || !isTransient(reason)) return null
  // When its time is over, it is the next channel's turn.
  const pause = fallOverAt ? Math.min(delay, secondsUntil(fallOverAt, now())) : delay
  return now().getTime() + pause * 1000 < expiresAt.getTime() ? pause : null
}

async function recordGatewayOutcome(
  { sql, now }: Platform,
  channel: MessageChannel,
  outcome: DeliveryOutcome,
): Promise<void> {
  if (outcome.sent) return resetGateway(sql, channel)
  if (!isGatewayDown(outcome.reason)) return
  const restUntil = new Date(now().getTime() + GATEWAY_COOLDOWN_SECONDS * 1000)
  await recordGatewayFailure(sql, { channel, reason: outcome.reason, most: MAX_FAILURES, restUntil })
}

const MAX_WORDS_LENGTH = 300

/** A gateway's reply may repeat the address and the code; neither may be recorded. */
function redactContents(words: string, { to, params }: Contents): string {
  const bare = to.replace(/^\+86/, '')
  const secrets = [to, bare, ...Object.values(params).map(String)].filter((value) => value.length >= 4)
  return secrets.reduce((text, value) => text.replaceAll(value, '***'), words).slice(0, MAX_WORDS_LENGTH)
}
