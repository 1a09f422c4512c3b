import { v7 } from 'uuid'
import {
  type ChannelCheck,
  type checkChannel as checkCall,
  type MessageChannel,
  QUOTA_KEYS,
} from '#shared/contract/message-routes.ts'
import { ConnectorFault, UnclearAnswer } from '../../connectors/index.ts'
import type { Input } from '../../platform/http/mount.ts'
import { checkMailServer } from '../../platform/mail/send-mail.ts'
import { type DeliveryOutcome, deliveryFailure } from '../../platform/message-delivery.ts'
import { networkCode, networkProblem } from '../../platform/network-problem.ts'
import { type Context, callerOf } from '../../platform/platform.ts'
import { openConnection } from '../third-party-providers/index.ts'
import { describeChannels } from './channel-states.service.ts'
import { countTest } from './gateway-test.service.ts'
import { findHttpChannel, findMailGateway, findSmsGateway, findVendorOf, loadRoutes } from './gateways.service.ts'
import { addressOf, findRecipients } from './message-route.service.ts'
import { canonicalTo } from './message-target.rules.ts'
import { transportMessage } from './message-transport.service.ts'

type Step = ChannelCheck['steps'][number]

/** For the whole check, without the test message; a person waits for it. */
const MAX_MS = 9_000
const HOST_MS = 4_000
const MINUTES = 5

const well = (step: Step['step']): Step => ({ step, outcome: 'well', reason: null, code: null })
const failed = (step: Step['step'], reason: string, code: string | null = null): Step => ({
  step,
  outcome: 'failed',
  reason,
  code,
})

/**
 * Tests a channel as stored, step by step; with `send` a test message to the caller is the last step. A problem is part of the result, not
 * an error; nothing is sent if there is one.
 * @throws Refusal `message.too-many`.
 */
export async function checkChannel(
  ctx: Context,
  { channel, send }: Input<typeof checkCall>['body'],
): Promise<ChannelCheck> {
  await countTest(ctx)
  const state = (await describeChannels(ctx)).find((one) => one.channel === channel)
  const routes = await loadRoutes(ctx)
  if (!state?.isConfigured) return { steps: [failed('configured', 'not-configured')] }
  const most = routes[QUOTA_KEYS[channel]]
  const steps = [
    well('configured'),
    ...(await withDeadline(checkOtherSide(ctx, channel))),
    state.isDown ? failed('rest', 'resting') : well('rest'),
    most !== null && state.usedToday >= most ? failed('quota', 'quota') : well('quota'),
  ]
  const { userId } = callerOf(ctx)
  const person = (await findRecipients(ctx, [userId])).get(userId)
  const to = person ? addressOf(person, channel, false) : null
  steps.push(to ? well('receiver') : failed('receiver', 'no-address'))
  if (!send || !to) return { steps }
  if (steps.some(({ outcome }) => outcome === 'failed'))
    return { steps: [...steps, { ...well('sent'), outcome: 'skipped' }] }
  return { steps: [...steps, toStep('sent', await sendTest(ctx, channel, to))] }
}

/** What was found until the time was up is enough. */
async function withDeadline(work: Promise<Step[]>): Promise<Step[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Step[]>((done) => {
    timer = setTimeout(() => done([failed('host', 'timeout')]), MAX_MS)
  })
  return await Promise.race([work, late]).finally(() => clearTimeout(timer))
}

async function checkOtherSide(ctx: Context, channel: MessageChannel): Promise<Step[]> {
  if (channel === 'wecom' || channel === 'dingtalk') return await checkVendor(ctx, channel)
  if (channel === 'mail') {
    const server = await findMailGateway(ctx)
    return server ? [toStep('host', await checkMailServer(server))] : []
  }
  const gateway = channel === 'sms' ? await findSmsGateway(ctx) : await findHttpChannel(ctx)
  return gateway ? [toStep('host', await reach(ctx, gateway.url))] : []
}

/** Does anything answer there at all? The reply to a request without a message means nothing. */
async function reach(ctx: Context, url: string): Promise<DeliveryOutcome> {
  try {
    const answer = await ctx.fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(HOST_MS) })
    await answer.body?.cancel()
    return { sent: true, gatewayId: null }
  } catch (error) {
    return deliveryFailure(networkProblem(error), networkCode(error) ?? (error as Error).name)
  }
}

async function checkVendor(ctx: Context, channel: 'wecom' | 'dingtalk'): Promise<Step[]> {
  const provider = await findVendorOf(ctx, channel)
  const { checks = [] } = provider ? await openConnection(ctx, provider) : {}
  const steps: Step[] = []
  // Messages don't need all that logins need.
  for (const { step, run } of checks) {
    if (step === 'callback' || step === 'addresses' || step === 'account' || step === 'corporation') continue
    const isIdle = steps.some(({ outcome }) => outcome === 'failed')
    steps.push(isIdle ? { ...well(step), outcome: 'skipped' } : await runCheck(step, () => run('')))
  }
  return steps
}

async function runCheck(step: Step['step'], run: () => Promise<void>): Promise<Step> {
  try {
    await run()
    return well(step)
  } catch (error) {
    if (!(error instanceof ConnectorFault)) throw error
    if (error instanceof UnclearAnswer) return { step, outcome: 'skipped', reason: 'unclear', code: error.vendorCode }
    const isKnown = ['unavailable', 'unusable', 'misconfigured'].includes(error.reason)
    return failed(step, error.network ?? (isKnown ? error.reason : 'refused'), error.vendorCode)
  }
}

async function sendTest(ctx: Context, channel: MessageChannel, to: string): Promise<DeliveryOutcome> {
  const at = ctx.now()
  const { outcome } = await transportMessage(ctx, {
    id: v7(),
    channel,
    template: 'test',
    language: ctx.client.language,
    expiresAt: new Date(at.getTime() + MINUTES * 60_000),
    to: canonicalTo(channel, to),
    // For the provider's code template, which is what a test has to check.
    params: { code: '123456', minutes: MINUTES },
    at,
  })
  return outcome
}

const toStep = (step: Step['step'], outcome: DeliveryOutcome): Step =>
  outcome.sent ? well(step) : failed(step, outcome.reason, outcome.words.slice(0, 300))
