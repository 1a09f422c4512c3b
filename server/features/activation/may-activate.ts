import type { Context } from '../../platform/platform.ts'
import { mayLogIn } from '../account-status/index.ts'
import type { Newcomer } from './newcomers.store.ts'

/** An account that nothing but the missing activation keeps out: the one gate, asked as if it were active already. */
export const mayActivate = (ctx: Context, person: Newcomer): boolean =>
  !person.activated && mayLogIn(ctx.now(), { ...person, activated: true }) === null
