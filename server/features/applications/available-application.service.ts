import { defineErrors } from '../../platform/errors.ts'
import { type Context, callerOf } from '../../platform/platform.ts'
import { findAvailableApplication } from './my-apps.store.ts'

export const errors = defineErrors({ 'application.not-available': 404 })

/** @returns the id of an application that the caller may open now. @throws Refusal `application.not-available`. */
export async function requireAvailableApplication(ctx: Context, appId: string): Promise<string> {
  const [application] = await findAvailableApplication(ctx.db, callerOf(ctx).userId, appId, ctx.now())
  if (!application) throw errors['application.not-available']()
  return application.id
}
