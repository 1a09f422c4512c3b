import { PasswordPolicy, type PasswordSubject } from '#shared/contract/passwords.ts'
import { type PasswordOwner, passwordRulesFor } from '#shared/rules/password-demands.ts'
import type { PasswordRule } from '#shared/rules/password-strength.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import type { Exchange } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { findPasswordOwner } from '../password-demands/index.ts'
import { authenticate } from '../sessions/index.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { findBrokenRules } from './new-password.service.ts'
import { findPasswordPerson, type PasswordPerson } from './passwords.service.ts'

/** More than anybody types; too few for trying out birthdays and numbers in an unattended session. */
const MAX_CHECKS = 300
const WINDOW_SECONDS = 600

/**
 * Finds whose password a page without a session is about. A feature with such a page exports one, and the composition root passes it to the
 * mount. @throws Refusal if the proof does not allow setting a password.
 */
export type FindPasswordSubject<Kind extends PasswordSubject['kind']> = (
  ctx: Context,
  exchange: Exchange,
  subject: Extract<PasswordSubject, { kind: Kind }>,
) => Promise<string>

export type PasswordSubjects = { [Kind in 'recovery' | 'activation']: FindPasswordSubject<Kind> }

type PasswordCandidate = { password: string; subject: PasswordSubject }

const ANYBODY: PasswordOwner = { category: null, administers: false }

/** The password policy of the logged-in person, or else the general one. */
export async function describePasswordPolicy(ctx: Context, exchange: Exchange): Promise<PasswordPolicy> {
  const caller = await authenticate(ctx, exchange.request)
  const who = caller && (await findPasswordOwner(ctx.db, caller.userId, ctx.now()))
  return PasswordPolicy.strip().parse(passwordRulesFor(await signInPolicy(ctx), who ?? ANYBODY))
}

/**
 * The rules that a candidate breaks, with their requirements. @throws Refusal `session.required`, `request.too-many`, and those of the
 * subject.
 */
export async function checkPassword(
  ctx: Context,
  exchange: Exchange,
  subjects: PasswordSubjects,
  { password, subject }: PasswordCandidate,
): Promise<{ rules: PasswordRule[]; policy: PasswordPolicy }> {
  const { words, ...who } = await findSubject(ctx, exchange, subjects, subject)
  const rules = passwordRulesFor(await signInPolicy(ctx), who)
  return {
    rules: await findBrokenRules(ctx, password, words, rules),
    policy: PasswordPolicy.strip().parse(rules),
  }
}

async function findSubject(
  ctx: Context,
  exchange: Exchange,
  subjects: PasswordSubjects,
  subject: PasswordSubject,
): Promise<PasswordPerson> {
  if (subject.kind === 'typed') return { ...ANYBODY, words: { account: subject.account, names: [subject.name] } }
  const userId = await findSubjectUserId(ctx, exchange, subjects, subject)
  const checks = await ctx.state.increment('password-judgement', userId, WINDOW_SECONDS)
  if (checks > MAX_CHECKS) throw platformErrors['request.too-many']({ retryAfter: WINDOW_SECONDS })
  return (await findPasswordPerson(ctx, userId)) ?? { ...ANYBODY, words: {} }
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
