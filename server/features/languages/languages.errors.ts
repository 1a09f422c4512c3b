import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'text.not-found': 404,
  'text.refused': 422,
  'text.import-columns': 422,
})
