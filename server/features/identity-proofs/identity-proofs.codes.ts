import { maskMailbox, maskPhone } from '#shared/rules/mask-contact.ts'
import type { Context } from '../../platform/platform.ts'
import { channelsReady } from '../messages/index.ts'
import { canonicalTarget, sendCode, spendCode } from '../verification-codes/index.ts'
import { errors } from './identity-proofs.errors.ts'
import type { Person, ProofMethod } from './identity-proofs.service.ts'

const CHANNELS = { phone: 'sms', mailbox: 'mail' } as const
const MASKS = { phone: maskPhone, mailbox: maskMailbox } as const

/** A code to what is bound by now: one sent to a number that was bound before proves nothing. */
function codeTo(name: keyof typeof CHANNELS): ProofMethod {
  const channel = CHANNELS[name]
  const binding = (person: Person) => {
    const target = canonicalTarget({ channel, target: person[name] })
    if (target === null) throw errors['identity-proof.method-unavailable']()
    return { purpose: 'identity-proof' as const, userId: person.userId, target }
  }
  return {
    name,
    async hint(ctx: Context, person) {
      const bound = person[name]
      if (bound === null || canonicalTarget({ channel, target: bound }) === null) return null
      // Without a gateway the code would never come.
      return (await channelsReady(ctx))[channel] ? MASKS[name](bound) : null
    },
    begin: (ctx, person) => sendCode(ctx, { ...binding(person), channel, language: ctx.client.language }),
    prove: (ctx, person, answer) => spendCode(ctx, { ...binding(person), code: answer }),
  }
}

export const codeMethods: readonly ProofMethod[] = [codeTo('phone'), codeTo('mailbox')]
