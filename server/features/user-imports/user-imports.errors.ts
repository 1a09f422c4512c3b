import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'import.busy': 503,
  'import.columns-not-allowed': 403,
  'import.expired': 410,
  'import.no-account-column': 422,
  'import.no-room': 409,
  'import.no-rows': 422,
  'import.not-excel': 422,
  'import.not-found': 404,
  'import.too-large': 413,
  'import.wrong-state': 409,
})
