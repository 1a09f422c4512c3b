import { e164 } from '#shared/rules/phone.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import type { Exchange } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { authenticate } from '../sessions/index.ts'
import type { Addressees, Asked, FindAddressee } from './code-requests.service.ts'
import { errors } from './verification-codes.errors.ts'
import { findBoundTarget } from './verification-codes.store.ts'

/** The person who asks for their own codes, by their portal session. */
async function callerId(ctx: Context, { request }: Exchange, { id }: Asked): Promise<string> {
  const caller = await authenticate(ctx, request)
  if (!caller) throw platformErrors['session.required']()
  if (caller.limited) throw platformErrors['session.limited']()
  // The calls that use these codes are closed to it, so nobody may be billed for one.
  if (caller.lacksFactor) throw platformErrors['session.second-factor-required']()
  if (caller.userId !== id) throw platformErrors['permission.denied']()
  return caller.userId
}

/** A number or mailbox that is to be bound; whose it is already, the binding judges. */
const newTarget: FindAddressee = async (ctx, exchange, asked) => {
  const userId = await callerId(ctx, exchange, asked)
  const target = canonicalTarget(asked)
  if (target === null) throw errors['verification-code.no-target']()
  return { userId, target, isChosen: true, isStranger: false }
}

/** The number or mailbox on file. */
const boundTarget: FindAddressee = async (ctx, exchange, asked) => {
  const userId = await callerId(ctx, exchange, asked)
  const { channel } = asked
  const target = canonicalTarget({ channel, target: await findBoundTarget(ctx.db, userId, channel) })
  if (target === null) throw errors['verification-code.no-target']()
  return { userId, target, isStranger: false }
}

const MAILBOX = /^[^\s@<>"]+@[^\s@<>"]+$/
const LONGEST_MAILBOX = 254

/** What was typed as the database writes it: E.164, a mailbox in lower case; null when it is neither. */
export function canonicalTarget({ channel, target }: Pick<Asked, 'channel' | 'target'>): string | null {
  if (target === null) return null
  if (channel === 'sms') return e164(target)
  const mailbox = target.normalize('NFKC').trim().toLowerCase()
  return MAILBOX.test(mailbox) && mailbox.length <= LONGEST_MAILBOX ? mailbox : null
}

/** What somebody who is logged in asks codes for. */
export const ownAddressees: Addressees = {
  'bind-phone': (ctx, exchange, asked) =>
    asked.channel === 'sms' ? newTarget(ctx, exchange, asked) : Promise.reject(errors['verification-code.no-target']()),
  'bind-mailbox': (ctx, exchange, asked) =>
    asked.channel === 'mail'
      ? newTarget(ctx, exchange, asked)
      : Promise.reject(errors['verification-code.no-target']()),
  'identity-proof': boundTarget,
}
