import { type Context, callerOf } from '../../platform/platform.ts'
import { findLogin } from './my-records.store.ts'
import { errors } from './records.errors.ts'

/** A login of the caller's own. @throws Refusal `record.not-found`, also for another person's. */
export async function getMyLogin(ctx: Context, { id, loginTime }: { id: string; loginTime: string }) {
  const [login] = await findLogin(ctx.db, callerOf(ctx).userId, { id, at: new Date(loginTime) })
  if (!login) throw errors['record.not-found']()
  return login
}
