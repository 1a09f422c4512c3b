import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'password-recovery.not-offered': 403,
  'password-recovery.captcha-required': 422,
  'password-recovery.captcha-wrong': 422,
  'password-recovery.too-many': 429,
  /** Too old, used, of another browser, another recovery or another way: one answer. */
  'password-recovery.expired': 410,
  'password-recovery.way-unavailable': 409,
})
