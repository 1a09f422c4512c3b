import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'login-config.password-lengths': 422,
  'login-config.lock-most-too-short': 422,
  'login-config.idle-exceeds-session': 422,
  'login-config.remembered-too-short': 422,
  'login-config.told-too-early': 422,
  'login-config.password-told-too-early': 422,
  'login-config.unknown-category': 422,
  'login-config.unknown-application': 422,
  'login-config.locks-out': 409,
  'account-fields.bad-pattern': 422,
  'account-fields.no-login-name': 422,
  'account-fields.nothing-asked': 422,
  /** Values that were stored before there was a hash of them can't be compared yet. */
  'account-fields.not-comparable': 409,
  'account-fields.custom-holds-values': 409,
  'account-fields.custom-kind-fixed': 422,
  'account-fields.custom-choice-in-use': 409,
  'account-fields.custom-not-unique': 409,
  'account-fields.custom-released': 409,
  'policy.locks-out': 409,
})
