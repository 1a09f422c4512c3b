import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'account-field.not-editable': 403,
  'account-field.missing': 422,
  'account-field.too-short': 422,
  'account-field.too-long': 422,
  'account-field.format': 422,
  'account-field.taken': 409,
  'account-field.too-many-tries': 429,
  'account-fields.custom-not-removed': 409,
})
