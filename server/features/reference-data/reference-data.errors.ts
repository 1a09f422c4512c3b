import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'reference-data.not-found': 404,
  'reference-data.code-taken': 409,
  'reference-data.in-use': 409,
})
