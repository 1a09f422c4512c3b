import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'vendor.too-many-checks': 429,
  /** People can log in with it, for which it needs its secret. */
  'vendor.in-use': 409,
  'vendor.no-secret': 409,
  /** A former state that the current connector does not understand. */
  'vendor.former-invalid': 409,
})
