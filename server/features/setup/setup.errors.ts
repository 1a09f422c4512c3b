import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'setup.closed': 404,
  'setup.link-invalid': 403,
  'setup.account-taken': 409,
})
