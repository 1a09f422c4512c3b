import { requireCurrentPassword } from '../passwords/index.ts'
import { errors } from './identity-proofs.errors.ts'
import type { ProofMethod } from './identity-proofs.service.ts'

/** The password, sharing the counter of password changes: a second counter would double the guesses. */
export const passwordProofMethod: ProofMethod = {
  name: 'password',
  hint: async (_ctx, person) => (person.hasPassword ? '' : null),
  prove: (ctx, person, answer) =>
    requireCurrentPassword(ctx, person.userId, answer, errors['identity-proof.wrong-password']()),
}
