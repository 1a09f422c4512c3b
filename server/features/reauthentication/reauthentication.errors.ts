import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  // Not 401 or 403: the web application, like any client of these calls, goes to the login page on those.
  'reauthentication.required': 409,
  'reauthentication.method-unavailable': 409,
  'reauthentication.wrong-password': 422,
})
