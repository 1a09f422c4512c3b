import { v7 } from 'uuid'
import type { TestResult } from '#shared/contract/message-gateways.ts'
import type { testMessageTemplate } from '#shared/contract/message-templates.ts'
import type { Input } from '../../platform/http/mount.ts'
import { type Context, callerOf } from '../../platform/platform.ts'
import {
  addressOf,
  canonicalTo,
  countTest,
  describeChannels,
  findRecipients,
  messageErrors,
  toTestResult,
  transportMessage,
} from '../messages/index.ts'
import { errors } from './message-templates.errors.ts'
import { sampleMessage } from './sample-messages.service.ts'

const MINUTES = 5

/**
 * Sends a message in its current wording to the caller, synchronously: they wait for the other side's reply.
 * @throws Refusal `language.not-found`, `message.channel-unavailable`, `message-template.no-address`, `message.too-many`.
 */
export async function sendSample(
  ctx: Context,
  { name, language, channel }: Input<typeof testMessageTemplate>['body'],
): Promise<TestResult> {
  const state = (await describeChannels(ctx)).find((one) => one.channel === channel)
  if (!state?.isConfigured) throw messageErrors['message.channel-unavailable']()
  const { userId } = callerOf(ctx)
  const person = (await findRecipients(ctx, [userId])).get(userId)
  const message = await sampleMessage(ctx, { name, language }, person)
  const to = person ? addressOf(person, channel, false) : null
  if (!to) throw errors['message-template.no-address']()
  await countTest(ctx)
  const expiresAt = new Date(message.at.getTime() + MINUTES * 60_000)
  const letter = { ...message, id: v7(), channel, expiresAt, to: canonicalTo(channel, to) }
  const { outcome } = await transportMessage(ctx, letter)
  return toTestResult(outcome)
}
