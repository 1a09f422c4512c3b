import { requireCurrentPassword } from '../passwords/index.ts'
import { errors } from './reauthentication.errors.ts'
import type { ReauthenticationHandler } from './reauthentication.service.ts'

/** The password, sharing the counter of password changes: a second counter would double the guesses. */
export const passwordReauthentication: ReauthenticationHandler = {
  name: 'password',
  hint: async (_ctx, person) => (person.hasPassword ? '' : null),
  verify: (ctx, person, answer) =>
    requireCurrentPassword(ctx, person.userId, answer, errors['reauthentication.wrong-password']()),
}
