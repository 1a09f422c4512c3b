import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  /** So many at once that a person has to say that it is right. */
  'dormancy.held': 409,
})
