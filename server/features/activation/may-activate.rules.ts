import type { Context } from '../../platform/platform.ts'
import { mayLogIn } from '../access/index.ts'
import type { ActivationUser } from './activation-users.store.ts'

/** An account that nothing but the missing activation keeps out: the one gate, asked as if it were active already. */
export const mayActivate = (ctx: Context, person: ActivationUser): boolean =>
  !person.activated && mayLogIn(ctx.now(), { ...person, activated: true }) === null
