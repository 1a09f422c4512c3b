import { errors } from '../../platform/errors.ts'
import { type Caller, type Context, callerOf } from '../../platform/platform.ts'

/** Does the caller see everybody and everything? Only a super user does. @throws Error for a call without a session. */
export const seesEverything = (ctx: Context): boolean => callerOf(ctx).isSuperUser

/** Is somebody acting who administers only some organisations, or none? Not so for a super user, nor for work without a caller. */
export const hasLimitedScope = ({ caller }: Pick<Context, 'caller'>): boolean => caller !== null && !caller.isSuperUser

/** Is the person a super user, or an administrator of any organisation? */
export const isAdministrator = ({ isSuperUser, permissions }: Pick<Caller, 'isSuperUser' | 'permissions'>): boolean =>
  isSuperUser || permissions !== null

/** For work that began when they were one and may have been demoted since. @throws Refusal `permission.denied`. */
export function requireSuperUser(ctx: Context): void {
  if (!callerOf(ctx).isSuperUser) throw errors['permission.denied']()
}

/** What a scoped administrator must not learn, such as who and where others are: null for them. */
export const forSuperUsers = <T>(ctx: Context, value: T): T | null => (callerOf(ctx).isSuperUser ? value : null)

/** Whose tasks and imports the caller sees: null for everybody's, else their own. */
export function visibleOwner(ctx: Context): string | null {
  const { isSuperUser, userId } = callerOf(ctx)
  return isSuperUser ? null : userId
}
