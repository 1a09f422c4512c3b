import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'application.unknown': 403,
  'application.disabled': 403,
  'application.not-granted': 403,
})
