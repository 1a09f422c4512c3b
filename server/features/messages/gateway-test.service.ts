import { v7 } from 'uuid'
import type { z } from 'zod'
import type { MailTest, SmsTest, TestResult } from '#shared/contract/message-gateways.ts'
import { e164 } from '#shared/rules/phone.ts'
import type { Context } from '../../platform/platform.ts'
import type { Outcome } from '../../platform/sending.ts'
import { withSecret } from './gateway-secrets.ts'
import { mailGateway, smsGateway } from './gateways.service.ts'
import { type Letter, mailThrough, smsThrough } from './hand-over.ts'
import { errors } from './messages.errors.ts'
import type { Channel } from './messages.store.ts'

/** Tests within ten minutes, of everybody together: more is not testing any more. */
const MOST_TESTS = 20
const WINDOW_SECONDS = 600
const MINUTES = 5

/**
 * Sends one message at once, because whoever presses the button waits for what the other side says.
 * @throws Refusal when there were too many, or a stored secret would go elsewhere.
 */
export async function testMail(ctx: Context, { gateway, to }: z.output<typeof MailTest>): Promise<TestResult> {
  await countTest(ctx)
  const complete = withSecret(gateway, await mailGateway(ctx))
  return resultOf(await mailThrough(ctx, complete, testLetter(ctx, 'mail', to)))
}

export async function testSms(ctx: Context, { gateway, to }: z.output<typeof SmsTest>): Promise<TestResult> {
  const phone = e164(to)
  if (phone === null) throw errors['message.invalid-number']()
  await countTest(ctx)
  const complete = withSecret(gateway, await smsGateway(ctx))
  return resultOf(await smsThrough(ctx, complete, testLetter(ctx, 'sms', phone)))
}

async function countTest(ctx: Context): Promise<void> {
  const times = await ctx.state.count('message-test', '', WINDOW_SECONDS)
  if (times > MOST_TESTS) throw errors['message.too-many']()
}

function testLetter(ctx: Context, channel: Channel, to: string): Letter {
  const at = ctx.now()
  return {
    id: v7(),
    channel,
    template: 'test',
    language: ctx.client.language,
    expiresAt: new Date(at.getTime() + MINUTES * 60_000),
    to,
    // For the code template of a provider, which is what a test has to prove.
    params: { code: '123456', minutes: MINUTES },
    at,
  }
}

function resultOf(outcome: Outcome): TestResult {
  if (outcome.sent) return { sent: true, reason: null, words: null }
  return { sent: false, reason: outcome.reason, words: outcome.words.slice(0, 300) }
}
