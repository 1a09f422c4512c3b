import type { Context } from '../../platform/platform.ts'
import { wouldLeaveNoSuperUser } from '../user-accounts/index.ts'
import { BootstrapError } from './bootstrap-problems.errors.ts'
import type { UserPlan } from './bootstrap-users.service.ts'

/** @throws BootstrapError if a document would leave no super user. Call before its people are written. */
export async function requireRemainingSuperUser(ctx: Context, { inserted, updated, former }: UserPlan, source: string) {
  const isIn = ({ isSuperUser, enabled, activated }: UserPlan['updated'][number]) => isSuperUser && enabled && activated
  const leaving = updated.filter((row) => former.get(row.account)?.isSuperUser && !isIn(row)).map(({ id }) => id)
  if (leaving.length === 0 || [...inserted, ...updated].some(isIn)) return
  if (!(await wouldLeaveNoSuperUser(ctx.db, leaving, ctx.now()))) return
  throw new BootstrapError(source, [{ path: 'users', message: 'somebody has to remain a super user' }])
}
