import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'change.not-found': 404,
  'change.not-restorable': 409,
  'change.search-too-slow': 422,
  'change.target-gone': 409,
})
