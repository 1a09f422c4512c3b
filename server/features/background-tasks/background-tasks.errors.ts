import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'task.not-found': 404,
  'task.has-ended': 409,
  'task.interrupted': 500,
})
