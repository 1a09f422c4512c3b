import { Gateway } from '#shared/contract/appearance.ts'
import type { WeakPasswordData } from '#shared/contract/passwords.ts'
import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import { type PasswordOwner, passwordRulesFor } from '#shared/rules/password-demands.ts'
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

type Rules = PasswordRules & Pick<SignInPolicy, 'passwordBlockWords'>

/** The rules that a new password breaks: the person's policy, the bundled list and personal data; former passwords are not compared. */
export async function findBrokenRules(
  ctx: Context,
  password: string,
  words: PersonalWords,
  rules: Rules,
): Promise<PasswordRule[]> {
  const surroundings = [PRODUCT_NAME, ...(await institutionNames(ctx))]
  return [
    ...brokenRules(password, rules, { ...words, surroundings }),
    ...(containsBlockedWord(password, rules.passwordBlockWords) ? (['blocked'] as const) : []),
    ...(isCommonPassword(password) ? (['common'] as const) : []),
  ]
}

/** The hash of the current password (null: none), and of former ones, newest first. */
type KnownHashes = { hash: string | null; former: readonly string[] }

/**
 * Checks a new password against the person's policy, the bundled list and personal data.
 * @param known hashes that it must not match.
 * @throws Refusal `password.too-weak` with every reason in the caller's language; `data` is `WeakPasswordData`.
 */
export async function assertStrongPassword(
  ctx: Context,
  password: string,
  person: PasswordOwner & { words: PersonalWords },
  known: KnownHashes = { hash: null, former: [] },
): Promise<void> {
  const rules = passwordRulesFor(await signInPolicy(ctx), person)
  const broken = await findBrokenRules(ctx, password, person.words, rules)
  const { hash, former } = known
  const hashes = [...(hash === null ? [] : [hash]), ...former.slice(0, rules.passwordHistory)]
  // Last, because each former password costs a hash.
  if (broken.length === 0 && (await isFormer(ctx, password, hashes))) broken.push('former')
  if (broken.length > 0) throw weakPasswordRefusal(ctx, broken, rules)
}

async function institutionNames(platform: Platform): Promise<string[]> {
  const { names } = await readSettings(platform, 'gateway', Gateway)
  return Object.values(names)
}

async function isFormer(ctx: Context, password: string, former: readonly string[]): Promise<boolean> {
  for (const hash of former) if ((await verifyPassword(ctx, password, hash)).right) return true
  return false
}

function weakPasswordRefusal(ctx: Context, broken: PasswordRule[], policy: SignInPolicy): Refusal {
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
