import { maskMailbox, maskPhone } from '#shared/rules/mask-contact.ts'
import type { Context } from '../../platform/platform.ts'
import { findReadyChannels } from '../messages/index.ts'
import { sendCode, storedTarget, verifyCode } from '../verification-codes/index.ts'
import { errors } from './reauthentication.errors.ts'
import type { ReauthenticatingUser, ReauthenticationHandler } from './reauthentication.service.ts'

const CHANNELS = { phone: 'sms', mailbox: 'mail' } as const
const MASKS = { phone: maskPhone, mailbox: maskMailbox } as const

/** A code to the currently bound address: one sent to a formerly bound number proves nothing. */
function createCodeMethod(name: keyof typeof CHANNELS): ReauthenticationHandler {
  const channel = CHANNELS[name]
  const codeBinding = (person: ReauthenticatingUser) => {
    const bound = person[name]
    if (bound === null) throw errors['reauthentication.method-unavailable']()
    return { purpose: 'reauthentication' as const, userId: person.userId, target: storedTarget(channel, bound) }
  }
  return {
    name,
    async hint(ctx: Context, person) {
      const bound = person[name]
      if (bound === null) return null
      // Without a gateway the code would never come.
      return (await findReadyChannels(ctx))[channel] ? MASKS[name](bound) : null
    },
    begin: (ctx, person) => sendCode(ctx, { ...codeBinding(person), channel, language: ctx.client.language }),
    verify: (ctx, person, answer) => verifyCode(ctx, { ...codeBinding(person), code: answer }),
  }
}

export const codeReauthentication: readonly ReauthenticationHandler[] = [
  createCodeMethod('phone'),
  createCodeMethod('mailbox'),
]
