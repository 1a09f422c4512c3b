import type { FastifyInstance } from 'fastify'
import { randomToken } from '../../platform/crypto.ts'
import type { Platform } from '../../platform/platform.ts'
import { type QueuePoller, runWorkQueue } from '../../platform/work-queue.ts'
import { type Application, findApplicationById } from '../applications/index.ts'
import { claimDueDeliveries, type Delivery, updateDelivery } from './deliveries.store.ts'
import { renderLogoutMessage } from './logout-message.render.ts'
import { signLogoutToken } from './logout-token.service.ts'
import { isRegisteredAddress } from './registered-address.rules.ts'

const CHANNEL = 'gatehouse_logout'
/** Messages in progress on this node. */
const MAX_IN_FLIGHT = 64
/** Of these to one application: a dead or slow one must leave room for the others. */
const MAX_IN_FLIGHT_PER_APPLICATION = 8
const RESPONSE_TIMEOUT_MS = 5_000
/** Longer than any attempt, so that only a dead node's messages are taken over. */
const LEASE_SECONDS = 30
const MAX_ATTEMPTS = 2
const RETRY_SECONDS = 15

/** Runs single logout as long as the server runs. */
export function mountSingleLogout(app: FastifyInstance, platform: Platform): void {
  let running: { stop(): Promise<void> } | null = null
  app.addHook('onReady', async () => {
    running = await startSingleLogout(platform)
  })
  app.addHook('onClose', async () => running?.stop())
}

/**
 * Tells applications that a session has ended, after the commit and in the background: nobody's logout waits for it. Every node takes part;
 * a message is attempted twice at most, and its result stays in its row.
 */
function startSingleLogout(platform: Platform): Promise<{ stop(): Promise<void> }> {
  const inFlight: InFlight = new Map()
  const takeDue = (looking: QueuePoller) => deliverDue(platform, inFlight, looking)
  return runWorkQueue(platform, { channel: CHANNEL, name: 'single logout', claimDue: takeDue })
}

/** Deliveries in progress on this node, with their applications. */
type InFlight = Map<Promise<void>, string>

/** Delivers up to the free capacity, and polls again when there is capacity again. */
async function deliverDue(platform: Platform, inFlight: InFlight, looking: QueuePoller): Promise<void> {
  while (inFlight.size < MAX_IN_FLIGHT) {
    const now = platform.now()
    const due = await claimDueDeliveries(platform.sql, {
      now,
      leaseUntil: new Date(now.getTime() + LEASE_SECONDS * 1000),
      limit: MAX_IN_FLIGHT - inFlight.size,
      limitPerApplication: MAX_IN_FLIGHT_PER_APPLICATION,
      inFlight: countByApplication(inFlight),
    })
    if (due.length === 0) return
    for (const delivery of due) startDelivery(platform, delivery, inFlight, looking)
  }
}

function startDelivery(platform: Platform, delivery: Delivery, inFlight: InFlight, looking: QueuePoller): void {
  const { applicationId } = delivery
  const work = deliver(platform, delivery).finally(() => {
    const wasFull =
      inFlight.size >= MAX_IN_FLIGHT ||
      (countByApplication(inFlight).get(applicationId) ?? 0) >= MAX_IN_FLIGHT_PER_APPLICATION
    inFlight.delete(work)
    if (wasFull) looking.poll()
  })
  inFlight.set(work, applicationId)
  looking.track(work)
}

function countByApplication(inFlight: InFlight): Map<string, number> {
  const counts = new Map<string, number>()
  for (const applicationId of inFlight.values()) counts.set(applicationId, (counts.get(applicationId) ?? 0) + 1)
  return counts
}

async function deliver(platform: Platform, delivery: Delivery): Promise<void> {
  const error = await sendLogoutMessage(platform, delivery)
  const at = platform.now()
  const canRetry = error !== null && error !== NOT_REGISTERED && delivery.attempts < MAX_ATTEMPTS
  await updateDelivery(platform.sql, delivery.id, {
    state: error === null ? 'delivered' : canRetry ? 'pending' : 'failed',
    error,
    nextAttemptAt: canRetry ? new Date(at.getTime() + RETRY_SECONDS * 1000) : null,
    at,
  })
}

const NOT_REGISTERED = 'address is not registered'

/** @returns null if the application accepted the message, else why not: a fixed text for the record, nothing of the answer */
async function sendLogoutMessage(platform: Platform, delivery: Delivery): Promise<string | null> {
  if (delivery.attempts > MAX_ATTEMPTS) return 'interrupted'
  const application = await findApplicationById(platform, delivery.applicationId)
  if (!application || !isRegisteredAddress(application, delivery.url)) return NOT_REGISTERED
  try {
    const answer = await platform.fetch(delivery.url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: await logoutBody(platform, delivery, application),
      redirect: 'manual',
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    })
    await answer.body?.cancel()
    return answer.ok ? null : `HTTP ${answer.status}`
  } catch (error) {
    const { cause, name } = error as { cause?: { code?: string }; name?: string }
    return cause?.code ?? name ?? 'failed'
  }
}

async function logoutBody(platform: Platform, delivery: Delivery, application: Application): Promise<string> {
  if (delivery.protocol === 'oidc') {
    return `logout_token=${await signLogoutToken(platform, application, delivery)}`
  }
  const message = renderLogoutMessage(randomToken(32), platform.now(), delivery.ticket)
  return `logoutRequest=${encodeURIComponent(message)}`
}
