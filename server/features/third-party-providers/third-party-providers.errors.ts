import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  /** No such provider, or switched off: which of both is nobody's business. */
  'third-party.unknown': 404,
})
