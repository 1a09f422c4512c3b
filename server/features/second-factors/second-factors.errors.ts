import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  // A rule requires one.
  'second-factor.last': 409,
  'second-factor.none': 409,
  'second-factor.setup-expired': 409,
  'second-factor.code-wrong': 422,
  // Not 401: the page offers it without losing its state.
  'second-factor.log-in-again': 409,
  // The password was used twice; asks for reauthentication again.
  'second-factor.other-method-needed': 409,
  'second-factor.too-many-attempts': 429,
  'passkey.unavailable': 409,
  'passkey.refused': 422,
  'passkey.too-many': 409,
  'passkey.unknown': 404,
})
