import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'resource.not-found': 404,
  'access-rule.zone-unknown': 422,
})
