import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'log-stream.name-taken': 409,
  'log-stream.incomplete': 400,
  'log-stream.bad-ca': 400,
  'log-stream.weak-secret': 400,
  'log-stream.too-many': 409,
  'log-stream.in-future': 400,
})
