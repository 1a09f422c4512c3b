import { defineErrors } from '../../platform/errors.ts'

/** The 401s come before a password is proven and look alike for every name; the 403s are told only after a right password. */
export const errors = defineErrors({
  /** Unknown name, wrong password, no password, too many failures: one answer. */
  'sign-in.refused': 401,
  'sign-in.captcha-required': 401,
  'sign-in.captcha-wrong': 401,
  'sign-in.disabled': 403,
  'sign-in.locked': 403,
  'sign-in.frozen': 403,
  'sign-in.inactive': 403,
})
