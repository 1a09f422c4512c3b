import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  // Not 401 or 403: the web application, as any that was written for these calls, goes to the login at those.
  'identity-proof.required': 409,
  'identity-proof.method-unavailable': 409,
  'identity-proof.wrong-password': 422,
})
