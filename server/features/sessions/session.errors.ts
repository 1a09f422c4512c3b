import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'session.hand-over-invalid': 401,
  'session.not-yours': 403,
  'session.is-current': 409,
})
