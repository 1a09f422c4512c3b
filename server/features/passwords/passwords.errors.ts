import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'password.too-weak': 422,
  'password.old-wrong': 422,
  'password.too-many-attempts': 429,
  'password.not-yours': 403,
})
