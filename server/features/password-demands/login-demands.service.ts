import type { LoginDemand } from '#shared/contract/login-check.ts'
import type { Context } from '../../platform/platform.ts'
import { toFragment } from '../../platform/statement.ts'
import { demandsText, rulesInForce } from '../access/index.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { isPasswordTooOld } from './password-demands.store.ts'

/** What a login would require of a person before any application can be entered. */
export async function findLoginDemands(ctx: Context, userId: string): Promise<LoginDemand[]> {
  const { db } = ctx
  const isTooOld = isPasswordTooOld(db, await signInPolicy(ctx), ctx.now())
  const { requiredFields } = await rulesInForce(ctx)
  const [row] = await db<{ initial: boolean; old: boolean; lacking: boolean }[]>`
    select u.must_change_password as initial,
      ${isTooOld ? db`coalesce((select ${isTooOld} from passwords p where p.user_id = u.id), false)` : db`false`} as old,
      ${requiredFields.length > 0 ? toFragment(db, demandsText(requiredFields), {}) : db`false`} as lacking
    from users u where u.id = ${userId}`
  return [
    ...(row?.initial ? (['password-change'] as const) : []),
    ...(row?.old && !row.initial ? (['password-old'] as const) : []),
    ...(row?.lacking ? (['profile-due'] as const) : []),
  ]
}
