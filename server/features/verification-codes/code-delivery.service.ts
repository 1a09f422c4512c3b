import type { Language } from '#shared/contract/endpoint.ts'
import { CODE_MINUTES, type CodeChannel, type CodePurpose } from '#shared/contract/verification-codes.ts'
import { Refusal } from '../../platform/errors.ts'
import type { Context } from '../../platform/platform.ts'
import { findReadyChannels, sendMessage } from '../messages/index.ts'

const TEMPLATES = {
  login: 'code.login',
  recovery: 'code.password-recovery',
  activation: 'code.activation',
  'bind-phone': 'code.bind-phone',
  'bind-mailbox': 'code.bind-mailbox',
  'identity-proof': 'code.identity-proof',
  'second-factor': 'code.login',
} as const

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
  const message = { ...rest, template: TEMPLATES[purpose], to: target, params: { code, minutes: CODE_MINUTES } }
  try {
    await sendMessage(ctx, message)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

/** Whether messages of this channel can leave at all. */
export const isChannelReady = async (ctx: Context, channel: CodeChannel): Promise<boolean> =>
  (await findReadyChannels(ctx))[channel]
