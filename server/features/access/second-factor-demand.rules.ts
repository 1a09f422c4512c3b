import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'

export type SecondFactorFacts = {
  /** Is a super user, or administers some organisation. */
  administers: boolean
  /** Code of the person's category. */
  category: string | null
  /** Null: the request comes from a server, whose address says nothing of where the person is. */
  onCampus: boolean | null
  /** Of the application that is to be entered. */
  appId: string | null
}

/** Do the rules ask this person, in this place, for a second factor? */
export function requiresSecondFactor(policy: SignInPolicy, facts: SecondFactorFacts): boolean {
  return (
    (policy.secondFactorSuperUsers && facts.administers) ||
    (policy.secondFactorOffCampus && facts.onCampus === false) ||
    (facts.category !== null && policy.secondFactorCategories.includes(facts.category)) ||
    (facts.appId !== null && policy.secondFactorApplications.includes(facts.appId))
  )
}
