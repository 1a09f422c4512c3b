import type { SignInPolicy } from '../contract/sign-in-policy.ts'

/** What stricter password rules depend on. */
export type PasswordOwner = {
  /** Code of the user category. */
  category: string | null
  /** A super user, or an administrator of some organisation. */
  administers: boolean
}

/** The keys that stricter rules for some people can change, and those rules. */
export type PasswordDemands = Pick<
  SignInPolicy,
  'passwordMinLength' | 'passwordLevel' | 'passwordHistory' | 'passwordMaxAgeDays' | 'passwordRules'
>

/** The password rules for a person: the strictest value of each field among the rules that apply. */
export function passwordRulesFor<Policy extends PasswordDemands>(policy: Policy, who: PasswordOwner): Policy {
  const { category, administers } = who
  const demands = policy.passwordRules.filter(
    (one) => (one.administrators && administers) || (category !== null && one.categories.includes(category)),
  )
  const most = (general: number, field: 'minLength' | 'level' | 'history') =>
    Math.max(general, ...demands.map((one) => one[field] ?? 0))
  const ages = [policy.passwordMaxAgeDays, ...demands.map(({ maxAgeDays }) => maxAgeDays ?? 0)].filter(
    (days) => days > 0,
  )
  return {
    ...policy,
    passwordMinLength: most(policy.passwordMinLength, 'minLength'),
    passwordLevel: most(policy.passwordLevel, 'level'),
    passwordHistory: most(policy.passwordHistory, 'history'),
    passwordMaxAgeDays: ages.length > 0 ? Math.min(...ages) : 0,
  }
}
