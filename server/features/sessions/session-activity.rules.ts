import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'

/** A session is current until its absolute end and, unless it is remembered, while it was last seen after `idleSince`. */
export type ActivityCutoff = { now: Date; idleSince: Date }

export const activityCutoff = ({ sessionIdleMinutes }: SignInPolicy, now: Date): ActivityCutoff => ({
  now,
  idleSince: new Date(now.getTime() - sessionIdleMinutes * 60_000),
})
