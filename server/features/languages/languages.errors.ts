import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'language.not-found': 404,
  'language.unknown-tag': 422,
  'language.exists': 409,
  'language.too-many': 409,
  'language.fallback-needed': 422,
  'language.fallback-off': 409,
  'language.incomplete': 409,
  'language.last': 409,
  'language.is-fallback': 409,
  'language.ships': 409,
  'language.in-use': 409,
  'text.not-found': 404,
  'text.refused': 422,
  'text.repeated': 422,
  'text.import-columns': 422,
})
