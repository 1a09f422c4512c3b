import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'vendor.too-many-checks': 429,
  /** A former state that the current connector does not understand. */
  'vendor.former-invalid': 409,
})
