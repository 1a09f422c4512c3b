import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'unconfirmed-change.not-found': 404,
  'unconfirmed-change.old-login': 409,
  'unconfirmed-change.pending': 409,
})
