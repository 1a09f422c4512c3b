import type { CodeChannel } from '#shared/contract/verification-codes.ts'
import { canonicalMailbox } from '#shared/rules/mailbox.ts'
import { toValidPhone } from '#shared/rules/phone.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import type { Exchange } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { requireOwnEdit } from '../account-fields/index.ts'
import { authenticate } from '../sessions/index.ts'
import type { FindRecipient, RecipientFinders, RecipientQuery } from './code-requests.service.ts'
import { errors } from './verification-codes.errors.ts'
import { findBoundTarget } from './verification-codes.store.ts'

/** The person who asks for their own codes, by their portal session. */
async function requireOwnId(ctx: Context, { request }: Exchange, { id }: RecipientQuery): Promise<string> {
  const caller = await authenticate(ctx, request)
  if (!caller) throw platformErrors['session.required']()
  if (caller.limited) throw platformErrors['session.limited']()
  // The calls that use these codes are closed to it, so nobody may be billed for one.
  if (caller.lacksFactor) throw platformErrors['session.second-factor-required']()
  if (caller.userId !== id) throw platformErrors['permission.denied']()
  return caller.userId
}

/** A number or mailbox that is to be bound; whose it is already, the binding judges. */
const findNewTarget: FindRecipient = async (ctx, exchange, asked) => {
  const userId = await requireOwnId(ctx, exchange, asked)
  const target = canonicalTarget(asked)
  if (target === null) throw errors['verification-code.no-target']()
  await requireOwnEdit(ctx, asked.channel === 'sms' ? 'phone' : 'mailbox', target)
  return { userId, target, isChosen: true, isStranger: false }
}

/** The number or mailbox on file. */
const findOwnTarget: FindRecipient = async (ctx, exchange, asked) => {
  const userId = await requireOwnId(ctx, exchange, asked)
  const { channel } = asked
  const stored = await findBoundTarget(ctx.db, userId, channel)
  if (stored === null) throw errors['verification-code.no-target']()
  return { userId, target: storedTarget(channel, stored), isStranger: false }
}

/** What was typed as the database writes it: a valid number in E.164, a mailbox in lower case; null when it is neither. */
export function canonicalTarget({ channel, target }: Pick<RecipientQuery, 'channel' | 'target'>): string | null {
  if (target === null) return null
  return channel === 'sms' ? toValidPhone(target) : (canonicalMailbox(target)?.toLowerCase() ?? null)
}

/** What is on file, written likewise. It is not judged: what was bound under an older rule stays bound. */
export const storedTarget = (channel: CodeChannel, stored: string): string =>
  channel === 'sms' ? stored : stored.toLowerCase()

/** What somebody who is logged in asks codes for. */
export const ownRecipientFinders: RecipientFinders = {
  'bind-phone': (ctx, exchange, asked) =>
    asked.channel === 'sms'
      ? findNewTarget(ctx, exchange, asked)
      : Promise.reject(errors['verification-code.no-target']()),
  'bind-mailbox': (ctx, exchange, asked) =>
    asked.channel === 'mail'
      ? findNewTarget(ctx, exchange, asked)
      : Promise.reject(errors['verification-code.no-target']()),
  'identity-proof': findOwnTarget,
}
