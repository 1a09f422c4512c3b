import { v7 } from 'uuid'
import type { z } from 'zod'
import type { MailTest, SmsTest, TestResult } from '#shared/contract/message-gateways.ts'
import { toValidPhone } from '#shared/rules/phone.ts'
import type { DeliveryOutcome } from '../../platform/message-delivery.ts'
import type { Context } from '../../platform/platform.ts'
import { withStoredSecret } from './gateway-secrets.rules.ts'
import { findMailGateway, findSmsGateway } from './gateways.service.ts'
import { sendMailThrough, sendSmsThrough } from './message-transport.service.ts'
import { errors } from './messages.errors.ts'
import type { Channel } from './messages.store.ts'
import type { OutgoingMessage } from './outgoing-message.types.ts'

/** Tests in ten minutes, over everybody: more is no longer testing. */
const MAX_TESTS = 20
const WINDOW_SECONDS = 600
const MINUTES = 5

/**
 * Sends one message synchronously, because whoever presses the button waits for the other side's reply.
 * @throws Refusal if there were too many, or if a stored secret would be sent elsewhere.
 */
export async function testMail(ctx: Context, { gateway, to }: z.output<typeof MailTest>): Promise<TestResult> {
  await countTest(ctx)
  const complete = withStoredSecret(gateway, await findMailGateway(ctx))
  return toTestResult(await sendMailThrough(ctx, complete, testMessage(ctx, 'mail', to)))
}

export async function testSms(ctx: Context, { gateway, to }: z.output<typeof SmsTest>): Promise<TestResult> {
  const phone = toValidPhone(to)
  if (phone === null) throw errors['message.invalid-number']()
  await countTest(ctx)
  const complete = withStoredSecret(gateway, await findSmsGateway(ctx))
  return toTestResult(await sendSmsThrough(ctx, complete, testMessage(ctx, 'sms', phone)))
}

/** @throws Refusal `message.too-many`. */
export async function countTest(ctx: Context): Promise<void> {
  const times = await ctx.state.increment('message-test', '', WINDOW_SECONDS)
  if (times > MAX_TESTS) throw errors['message.too-many']()
}

function testMessage(ctx: Context, channel: Channel, to: string): OutgoingMessage {
  const at = ctx.now()
  return {
    id: v7(),
    channel,
    template: 'test',
    language: ctx.client.language,
    expiresAt: new Date(at.getTime() + MINUTES * 60_000),
    to,
    // For the provider's code template, which is what a test has to check.
    params: { code: '123456', minutes: MINUTES },
    at,
  }
}

/** The result of a test as a page shows it. */
export function toTestResult(outcome: DeliveryOutcome): TestResult {
  if (outcome.sent) return { sent: true, reason: null, words: null }
  return { sent: false, reason: outcome.reason, words: outcome.words.slice(0, 300) }
}
