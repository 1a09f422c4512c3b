import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  /** So many at once that somebody has to confirm it. */
  'dormancy.held': 409,
  /** Somebody else has confirmed it, or it no longer affects so many. */
  'dormancy.not-held': 409,
})
