import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'change.not-found': 404,
  'change.not-restorable': 409,
  'change.target-gone': 409,
})
