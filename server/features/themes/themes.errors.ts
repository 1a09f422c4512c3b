import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'theme.name-taken': 422,
  'theme.too-many': 422,
  'theme.not-found': 404,
  'theme.not-published': 409,
  'theme.nothing-to-publish': 409,
  'theme.low-contrast': 422,
  'theme.in-use': 409,
  'theme.unknown-picture': 422,
})
