import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  // Not 401 or 403: the web application, like any client of these calls, goes to the login page on those.
  'identity-proof.required': 409,
  'identity-proof.method-unavailable': 409,
  'identity-proof.wrong-password': 422,
})
