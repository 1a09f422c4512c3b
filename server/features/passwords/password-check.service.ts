import type { PasswordSubject } from '#shared/contract/passwords.ts'
import type { PasswordRule, PersonalWords } from '#shared/rules/password-strength.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import type { Exchange } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { authenticate } from '../sessions/index.ts'
import { findBrokenRules } from './new-password.service.ts'
import { findPersonalWords } from './passwords.service.ts'

/** More than anybody types; few enough that nobody tries out birthdays and numbers with a session that was left open. */
const MAX_CHECKS = 300
const WINDOW_SECONDS = 600

/**
 * Finds whose password a page without a session is about. A feature with such a page exports one, and the composition root hands it
 * to the mount. @throws Refusal when the proof is not good for a new password.
 */
export type FindPasswordSubject<Kind extends PasswordSubject['kind']> = (
  ctx: Context,
  exchange: Exchange,
  subject: Extract<PasswordSubject, { kind: Kind }>,
) => Promise<string>

export type PasswordSubjects = { [Kind in 'recovery' | 'activation']: FindPasswordSubject<Kind> }

type PasswordCandidate = { password: string; subject: PasswordSubject }

/** The rules that a candidate breaks. @throws Refusal `session.required`, `request.too-many`, and those of the subject. */
export async function checkPassword(
  ctx: Context,
  exchange: Exchange,
  subjects: PasswordSubjects,
  { password, subject }: PasswordCandidate,
): Promise<PasswordRule[]> {
  return await findBrokenRules(ctx, password, await findSubjectWords(ctx, exchange, subjects, subject))
}

async function findSubjectWords(
  ctx: Context,
  exchange: Exchange,
  subjects: PasswordSubjects,
  subject: PasswordSubject,
): Promise<PersonalWords> {
  if (subject.kind === 'typed') return { account: subject.account, names: [subject.name] }
  const userId = await findSubjectUserId(ctx, exchange, subjects, subject)
  const checks = await ctx.state.increment('password-judgement', userId, WINDOW_SECONDS)
  if (checks > MAX_CHECKS) throw platformErrors['request.too-many']({ retryAfter: WINDOW_SECONDS })
  return (await findPersonalWords(ctx, userId)) ?? {}
}

async function findSubjectUserId(
  ctx: Context,
  exchange: Exchange,
  subjects: PasswordSubjects,
  subject: Exclude<PasswordSubject, { kind: 'typed' }>,
): Promise<string> {
  if (subject.kind === 'recovery') return await subjects.recovery(ctx, exchange, subject)
  if (subject.kind === 'activation') return await subjects.activation(ctx, exchange, subject)
  const caller = await authenticate(ctx, exchange.request)
  if (!caller) throw platformErrors['session.required']()
  return caller.userId
}
