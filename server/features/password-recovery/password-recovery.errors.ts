import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'password-recovery.not-offered': 403,
  'password-recovery.captcha-required': 422,
  'password-recovery.captcha-wrong': 422,
  'password-recovery.too-many': 429,
  /** Expired, used, of another browser, recovery or method: one answer. */
  'password-recovery.expired': 410,
  'password-recovery.method-unavailable': 409,
})
