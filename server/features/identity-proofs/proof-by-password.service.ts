import { requireCurrentPassword } from '../passwords/index.ts'
import { errors } from './identity-proofs.errors.ts'
import type { ProofMethod } from './identity-proofs.service.ts'

/** The password, by the counter of old passwords: two places to guess in would be twice the guesses. */
export const passwordProofMethod: ProofMethod = {
  name: 'password',
  hint: async (_ctx, person) => (person.hasPassword ? '' : null),
  prove: (ctx, person, answer) =>
    requireCurrentPassword(ctx, person.userId, answer, errors['identity-proof.wrong-password']()),
}
