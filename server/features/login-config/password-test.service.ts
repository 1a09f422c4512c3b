import type { TestedPolicy, testPassword } from '#shared/contract/login-config.ts'
import { passwordRulesFor } from '#shared/rules/password-demands.ts'
import {
  PASSWORD_RULES,
  type PasswordRule,
  type PersonalWords,
  requiredKinds,
} from '#shared/rules/password-strength.ts'
import type { Input, Output } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { findBrokenRules, findPasswordPerson, type PasswordPerson } from '../passwords/index.ts'
import { userErrors } from '../user-accounts/index.ts'

/** The rules about personal data, each with whether there is anything that it could match. */
const PERSONAL_RULES: Partial<Record<PasswordRule, (words: PersonalWords) => boolean>> = {
  'contains-account': ({ account }) => Boolean(account),
  'contains-name': ({ names = [] }) => names.some(Boolean),
  'contains-phone': ({ phone }) => Boolean(phone),
  'contains-birthday': ({ birthday }) => Boolean(birthday),
}

const CONTEXT_RULES: Partial<Record<PasswordRule, TestedPolicy['passwordContext'][number]>> = {
  'contains-account': 'account',
  'contains-name': 'name',
  'contains-phone': 'phone',
  'contains-birthday': 'birthday',
  'contains-institution': 'school',
}

const NOBODY: PasswordPerson = { category: null, administers: false, words: {} }

/**
 * Judges a password by each rule of a policy that may not be saved yet. Former passwords are not compared: that would confirm guesses of
 * somebody's password. @throws Refusal `user.not-found`.
 */
export async function judgePassword(
  ctx: Context,
  { password, userId, policy: tested }: Input<typeof testPassword>['body'],
): Promise<Output<typeof testPassword>> {
  const person = userId === undefined ? NOBODY : await findPasswordPerson(ctx, userId)
  if (!person) throw userErrors['user.not-found']()
  const { words } = person
  const policy = passwordRulesFor(tested, person)
  const broken = new Set(await findBrokenRules(ctx, password, words, policy))
  const demanded = new Set<string>(requiredKinds(policy.passwordLevel).map((kind) => `no-${kind}`))
  const isAsked = (rule: PasswordRule) => {
    if (rule === 'blocked') return policy.passwordBlockWords.length > 0
    const context = CONTEXT_RULES[rule]
    return context ? policy.passwordContext.includes(context) : !rule.startsWith('no-') || demanded.has(rule)
  }
  const rules = PASSWORD_RULES.filter((rule) => rule !== 'former' && isAsked(rule))
  const outcomeOf = (rule: PasswordRule) => {
    if (PERSONAL_RULES[rule]?.(words) === false) return 'not-tested'
    return broken.has(rule) ? 'failed' : 'passed'
  }
  const judged = rules.map((rule) => ({ rule, outcome: outcomeOf(rule) }) as const)
  const former = { rule: 'former', outcome: 'not-tested' } as const
  const { passwordMinLength, passwordLevel, passwordHistory, passwordMaxAgeDays } = policy
  return {
    rules: passwordHistory > 0 ? [...judged, former] : judged,
    holds: { passwordMinLength, passwordLevel, passwordHistory, passwordMaxAgeDays },
  }
}
