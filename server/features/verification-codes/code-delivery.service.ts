import type { Language } from '#shared/contract/endpoint.ts'
import type { MessageChannel } from '#shared/contract/message-routes.ts'
import { CODE_MINUTES, type CodeChannel, type CodePurpose } from '#shared/contract/verification-codes.ts'
import { Refusal } from '../../platform/errors.ts'
import type { Context } from '../../platform/platform.ts'
import { canSend, findReadyChannels, listCodeChannels, sendMessage } from '../messages/index.ts'

const TEMPLATES = {
  login: 'code.login',
  recovery: 'code.password-recovery',
  activation: 'code.activation',
  'bind-phone': 'code.bind-phone',
  'bind-mailbox': 'code.bind-mailbox',
  reauthentication: 'code.reauthentication',
  'second-factor': 'code.login',
} as const

/** Purposes that require the code to be read at this very address. */
const BOUND: readonly CodePurpose[] = ['bind-phone', 'bind-mailbox', 'reauthentication', 'second-factor']

type CodeDelivery = {
  purpose: CodePurpose
  userId: string
  channel: CodeChannel
  target: string
  language: Language
  code: string
  expiresAt: Date
}

/**
 * Queues a code, in the transaction of `ctx`.
 * @returns false if the queue currently accepts none for this target.
 */
export async function queueCode(ctx: Context, { purpose, target, code, ...rest }: CodeDelivery): Promise<boolean> {
  const params = { code, minutes: CODE_MINUTES }
  const message = { ...rest, template: TEMPLATES[purpose], to: target, params, isBound: BOUND.includes(purpose) }
  try {
    await sendMessage(ctx, message)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

/** Whether codes for this purpose can currently be sent when requested by this channel; the same for everybody. */
export const isChannelReady = async (ctx: Context, purpose: CodePurpose, channel: CodeChannel): Promise<boolean> =>
  BOUND.includes(purpose) ? (await findReadyChannels(ctx))[channel] : await canSend(ctx, TEMPLATES[purpose], channel)

/** Where such a code may arrive, in this order; the same for everybody. */
export const whereCodesArrive = async (
  ctx: Context,
  purpose: CodePurpose,
  channel: CodeChannel,
): Promise<MessageChannel[]> =>
  BOUND.includes(purpose) ? [channel] : await listCodeChannels(ctx, TEMPLATES[purpose], channel)
