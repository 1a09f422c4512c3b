import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  // A rule asks for one.
  'second-factor.last': 409,
  'second-factor.none': 409,
  'second-factor.setup-expired': 409,
  'second-factor.code-wrong': 422,
  // Not 401: the page offers it, with what has been done so far still there.
  'second-factor.log-in-again': 409,
  // The password was given twice; the next proof is asked for again.
  'second-factor.other-proof-needed': 409,
  'second-factor.too-many-attempts': 429,
  'passkey.unavailable': 409,
  'passkey.refused': 422,
  'passkey.too-many': 409,
  'passkey.unknown': 404,
})
