import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'administrator.not-found': 404,
  'administrator.person-unknown': 404,
  'administrator.person-disabled': 409,
  'administrator.is-super-user': 409,
  'administrator.organization-unknown': 404,
  'administrator.exists': 409,
  'administrator.period-over': 400,
  'administrator.period-reversed': 400,
})
