import { Gateway } from '#shared/contract/appearance.ts'
import type { WeakPasswordData } from '#shared/contract/passwords.ts'
import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import {
  brokenRules,
  containsBlockedWord,
  type PasswordRule,
  type PasswordRules,
  type PersonalWords,
} from '#shared/rules/password-strength.ts'
import type { Refusal } from '../../platform/errors.ts'
import type { Context, Platform } from '../../platform/platform.ts'
import { readSettings } from '../../platform/settings.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { isCommonPassword } from './common-passwords.rules.ts'
import { errors } from './passwords.errors.ts'
import { verifyPassword } from './verify-password.service.ts'

const PRODUCT_NAME = 'Gatehouse'

/**
 * The rules that a new password breaks by the policy, the bundled list and what is known of the person; former ones are not compared.
 * @param rules in the place of those in force.
 */
export async function findBrokenRules(
  ctx: Context,
  password: string,
  words: PersonalWords,
  rules?: PasswordRules & Pick<SignInPolicy, 'passwordBlockWords'>,
): Promise<PasswordRule[]> {
  const surroundings = [PRODUCT_NAME, ...(await institutionNames(ctx))]
  const policy = rules ?? (await signInPolicy(ctx))
  return [
    ...brokenRules(password, policy, { ...words, surroundings }),
    ...(containsBlockedWord(password, policy.passwordBlockWords) ? (['blocked'] as const) : []),
    ...(isCommonPassword(password) ? (['common'] as const) : []),
  ]
}

/**
 * Judges a new password by the policy, the bundled list and what is known of the person.
 * @param former hashes of the passwords it must not repeat.
 * @throws Refusal `password.too-weak` with every reason in the caller's language; `data` is `WeakPasswordData`.
 */
export async function assertStrongPassword(
  ctx: Context,
  password: string,
  words: PersonalWords,
  former: readonly string[] = [],
): Promise<void> {
  const broken = await findBrokenRules(ctx, password, words)
  // Only now: each former password costs a hash.
  if (broken.length === 0 && (await isFormer(ctx, password, former))) broken.push('former')
  if (broken.length > 0) throw await weakPasswordRefusal(ctx, broken)
}

async function institutionNames(platform: Platform): Promise<string[]> {
  const { names } = await readSettings(platform, 'gateway', Gateway)
  return Object.values(names)
}

async function isFormer(ctx: Context, password: string, former: readonly string[]): Promise<boolean> {
  for (const hash of former) if ((await verifyPassword(ctx, password, hash)).right) return true
  return false
}

async function weakPasswordRefusal(ctx: Context, broken: PasswordRule[]): Promise<Refusal> {
  const policy = await signInPolicy(ctx)
  const { language } = ctx.client
  const bounds = {
    min: policy.passwordMinLength,
    max: policy.passwordMaxLength,
    count: Math.max(1, policy.passwordHistory),
  }
  const reasons = broken.map((rule) => ctx.translate(language, `password.rule.${rule}`, bounds))
  const data: WeakPasswordData = { rules: broken }
  return errors['password.too-weak']({
    params: { reasons: reasons.join(ctx.translate(language, 'password.and')) },
    data,
  })
}
