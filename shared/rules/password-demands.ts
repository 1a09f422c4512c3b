import type { SignInPolicy } from '../contract/sign-in-policy.ts'

/** Whose password it is, as far as demands of their own depend on it. */
export type PasswordHolder = {
  /** Code of the user category. */
  category: string | null
  /** Is a super user, or administers some organisation. */
  administers: boolean
}

/** The keys that a demand on some people's passwords can make stricter, and the demands. */
export type PasswordDemands = Pick<
  SignInPolicy,
  'passwordMinLength' | 'passwordLevel' | 'passwordHistory' | 'passwordMaxAgeDays' | 'passwordRules'
>

/** What holds for this person's password: of all demands that are made on them, the strictest of each field. */
export function passwordRulesFor<Policy extends PasswordDemands>(policy: Policy, who: PasswordHolder): Policy {
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
