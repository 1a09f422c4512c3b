import { maskMailbox, maskPhone } from '#shared/rules/mask-contact.ts'
import type { Context } from '../../platform/platform.ts'
import { findReadyChannels } from '../messages/index.ts'
import { sendCode, storedTarget, verifyCode } from '../verification-codes/index.ts'
import { errors } from './identity-proofs.errors.ts'
import type { ProofMethod, ProofSubject } from './identity-proofs.service.ts'

const CHANNELS = { phone: 'sms', mailbox: 'mail' } as const
const MASKS = { phone: maskPhone, mailbox: maskMailbox } as const

/** A code to the currently bound address: one sent to a formerly bound number proves nothing. */
function createCodeMethod(name: keyof typeof CHANNELS): ProofMethod {
  const channel = CHANNELS[name]
  const codeBinding = (person: ProofSubject) => {
    const bound = person[name]
    if (bound === null) throw errors['identity-proof.method-unavailable']()
    return { purpose: 'identity-proof' as const, userId: person.userId, target: storedTarget(channel, bound) }
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
    prove: (ctx, person, answer) => verifyCode(ctx, { ...codeBinding(person), code: answer }),
  }
}

export const codeProofMethods: readonly ProofMethod[] = [createCodeMethod('phone'), createCodeMethod('mailbox')]
