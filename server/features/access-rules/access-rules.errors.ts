import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'access-rule.name-taken': 422,
  'access-rule.too-many': 409,
  'access-rule.unknown-reference': 422,
  'access-rule.captcha-who': 422,
  'access-rule.times': 422,
  'access-rule.zone-unknown': 422,
  'access-rule.in-login-config': 409,
  'access-rule.names-it': 409,
  'policy.locks-out': 409,
  'user.not-found': 404,
  'application.not-found': 404,
  'ip-range.bad-address': 400,
})
