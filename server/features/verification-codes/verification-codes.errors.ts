import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'verification-code.too-soon': 429,
  /** For this target, name or address, today. */
  'verification-code.too-many': 429,
  'verification-code.too-many-tries': 429,
  /** No gateway is set up, or the institution's own limit is reached. */
  'verification-code.unavailable': 503,
  'verification-code.captcha-required': 422,
  'verification-code.captcha-wrong': 422,
  'verification-code.no-target': 422,
  'verification-code.wrong': 422,
  /** Expired, used, or never sent. */
  'verification-code.expired': 410,
})
