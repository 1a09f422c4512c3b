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

/** The person who requests their own codes, by their portal session. */
async function requireOwnId(ctx: Context, { request }: Exchange, { id }: RecipientQuery): Promise<string> {
  const caller = await authenticate(ctx, request)
  if (!caller) throw platformErrors['session.required']()
  if (caller.limited) throw platformErrors['session.limited']()
  // The calls that use these codes are closed to it, so it must not cause costs.
  if (caller.lacksFactor) throw platformErrors['session.second-factor-required']()
  if (caller.userId !== id) throw platformErrors['permission.denied']()
  return caller.userId
}

/** A number or mailbox to be bound; whether somebody has it already is checked when binding. */
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

/** The canonical form of the input: a valid number in E.164, a mailbox in lower case; null if it is neither. */
export function canonicalTarget({ channel, target }: Pick<RecipientQuery, 'channel' | 'target'>): string | null {
  if (target === null) return null
  return channel === 'sms' ? toValidPhone(target) : (canonicalMailbox(target)?.toLowerCase() ?? null)
}

/** The same for a stored one, without validation: what was bound under an older rule stays bound. */
export const storedTarget = (channel: CodeChannel, stored: string): string =>
  channel === 'sms' ? stored : stored.toLowerCase()

/** Purposes for which a logged-in person requests codes. */
export const ownRecipientFinders: RecipientFinders = {
  'bind-phone': (ctx, exchange, asked) =>
    asked.channel === 'sms'
      ? findNewTarget(ctx, exchange, asked)
      : Promise.reject(errors['verification-code.no-target']()),
  'bind-mailbox': (ctx, exchange, asked) =>
    asked.channel === 'mail'
      ? findNewTarget(ctx, exchange, asked)
      : Promise.reject(errors['verification-code.no-target']()),
  reauthentication: findOwnTarget,
}
