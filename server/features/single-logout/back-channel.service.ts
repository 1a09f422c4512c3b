import type { FastifyInstance } from 'fastify'
import { randomToken } from '../../platform/crypto.ts'
import type { Platform } from '../../platform/platform.ts'
import { type Looking, workOnQueue } from '../../platform/work-queue.ts'
import { type Application, findApplicationById } from '../applications/index.ts'
import { claimDueDeliveries, type Delivery, settleDelivery } from './deliveries.store.ts'
import { logoutMessage } from './logout-message.ts'
import { logoutToken } from './logout-token.ts'
import { isRegistered } from './registered-address.ts'

const CHANNEL = 'gatehouse_logout'
/** Messages under way at once on this node. */
const MOST_AT_ONCE = 64
/** Of these to one application: one that is dead or slow must leave room for the others. */
const MOST_OF_ONE = 8
const ANSWER_MS = 5_000
/** Longer than any attempt, so that only a dead node's messages are taken over. */
const LEASE_SECONDS = 30
const MOST_ATTEMPTS = 2
const RETRY_SECONDS = 15

/** Runs single logout for as long as the server does. */
export function mountSingleLogout(app: FastifyInstance, platform: Platform): void {
  let running: { stop(): Promise<void> } | null = null
  app.addHook('onReady', async () => {
    running = await startSingleLogout(platform)
  })
  app.addHook('onClose', async () => running?.stop())
}

/**
 * Tells applications that a session has ended, from the commit of its end on, in the background: nobody's logout waits for it.
 * Every node takes part; a message is attempted twice at most, and what became of it stays in its row.
 */
function startSingleLogout(platform: Platform): Promise<{ stop(): Promise<void> }> {
  const underWay: UnderWay = new Map()
  const takeDue = (looking: Looking) => deliverDue(platform, underWay, looking)
  return workOnQueue(platform, { channel: CHANNEL, name: 'single logout', takeDue })
}

/** What this node is delivering now, with the application that it goes to. */
type UnderWay = Map<Promise<void>, string>

/** Delivers as much as there is room for, and looks again when there is room again. */
async function deliverDue(platform: Platform, underWay: UnderWay, looking: Looking): Promise<void> {
  while (underWay.size < MOST_AT_ONCE) {
    const now = platform.now()
    const due = await claimDueDeliveries(platform.sql, {
      now,
      leaseUntil: new Date(now.getTime() + LEASE_SECONDS * 1000),
      most: MOST_AT_ONCE - underWay.size,
      mostOfOne: MOST_OF_ONE,
      underWay: countOf(underWay),
    })
    if (due.length === 0) return
    for (const delivery of due) start(platform, delivery, underWay, looking)
  }
}

function start(platform: Platform, delivery: Delivery, underWay: UnderWay, looking: Looking): void {
  const { applicationId } = delivery
  const work = deliver(platform, delivery).finally(() => {
    const heldUp = underWay.size >= MOST_AT_ONCE || (countOf(underWay).get(applicationId) ?? 0) >= MOST_OF_ONE
    underWay.delete(work)
    if (heldUp) looking.look()
  })
  underWay.set(work, applicationId)
  looking.underWay(work)
}

function countOf(underWay: UnderWay): Map<string, number> {
  const counts = new Map<string, number>()
  for (const applicationId of underWay.values()) counts.set(applicationId, (counts.get(applicationId) ?? 0) + 1)
  return counts
}

async function deliver(platform: Platform, delivery: Delivery): Promise<void> {
  const error = await attempt(platform, delivery)
  const at = platform.now()
  const canRetry = error !== null && error !== NOT_REGISTERED && delivery.attempts < MOST_ATTEMPTS
  await settleDelivery(platform.sql, delivery.id, {
    state: error === null ? 'delivered' : canRetry ? 'pending' : 'failed',
    error,
    nextAttemptAt: canRetry ? new Date(at.getTime() + RETRY_SECONDS * 1000) : null,
    at,
  })
}

const NOT_REGISTERED = 'address is not registered'

/** @returns null when the application took the message, else why not: words for the record, nothing of the answer. */
async function attempt(platform: Platform, delivery: Delivery): Promise<string | null> {
  if (delivery.attempts > MOST_ATTEMPTS) return 'interrupted'
  const application = await findApplicationById(platform, delivery.applicationId)
  if (!application || !isRegistered(application, delivery.url)) return NOT_REGISTERED
  try {
    const answer = await platform.fetch(delivery.url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: await messageFor(platform, delivery, application),
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS),
    })
    await answer.body?.cancel()
    return answer.ok ? null : `HTTP ${answer.status}`
  } catch (error) {
    const { cause, name } = error as { cause?: { code?: string }; name?: string }
    return cause?.code ?? name ?? 'failed'
  }
}

async function messageFor(platform: Platform, delivery: Delivery, application: Application): Promise<string> {
  if (delivery.protocol === 'oidc') {
    return `logout_token=${await logoutToken(platform, application, delivery)}`
  }
  const message = logoutMessage(randomToken(32), platform.now(), delivery.ticket)
  return `logoutRequest=${encodeURIComponent(message)}`
}
