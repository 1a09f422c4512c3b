import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'vocabulary.not-found': 404,
  'vocabulary.code-taken': 409,
  'vocabulary.in-use': 409,
})
