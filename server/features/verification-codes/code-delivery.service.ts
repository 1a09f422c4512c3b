import type { Language } from '#shared/contract/endpoint.ts'
import { CODE_MINUTES, type CodeChannel, type CodePurpose } from '#shared/contract/verification-codes.ts'
import { Refusal } from '../../platform/errors.ts'
import type { Context } from '../../platform/platform.ts'
import { canSend, findReadyChannels, sendMessage } from '../messages/index.ts'

const TEMPLATES = {
  login: 'code.login',
  recovery: 'code.password-recovery',
  activation: 'code.activation',
  'bind-phone': 'code.bind-phone',
  'bind-mailbox': 'code.bind-mailbox',
  'identity-proof': 'code.identity-proof',
  'second-factor': 'code.login',
} as const

/** Purposes for which it matters that the code was read at this very address. */
const BOUND: readonly CodePurpose[] = ['bind-phone', 'bind-mailbox', 'identity-proof', 'second-factor']

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
 * Puts a code into the message queue, in the transaction that `ctx` holds.
 * @returns false when the queue takes none for this target now.
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

/** Whether codes for this can leave at all when they are asked for by this channel; the same for everybody. */
export const isChannelReady = async (ctx: Context, purpose: CodePurpose, channel: CodeChannel): Promise<boolean> =>
  BOUND.includes(purpose) ? (await findReadyChannels(ctx))[channel] : await canSend(ctx, TEMPLATES[purpose], channel)
