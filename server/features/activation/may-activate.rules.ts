import type { Context } from '../../platform/platform.ts'
import { mayLogIn } from '../access/index.ts'
import type { ActivationUser } from './activation-users.store.ts'

/** May this account be activated? Asks the gate as if it were already active. */
export const mayActivate = (ctx: Context, person: ActivationUser): boolean =>
  !person.activated && mayLogIn(ctx.now(), { ...person, activated: true }) === null
