import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'data-source.no-events': 409,
})
