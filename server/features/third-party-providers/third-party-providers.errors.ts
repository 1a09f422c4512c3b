import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  /** No such provider, or disabled; not distinguished. */
  'third-party.unknown': 404,
})
