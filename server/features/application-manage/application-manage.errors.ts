import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'application.not-found': 404,
  'application.built-in': 409,
  'application.still-enabled': 409,
  'application.code-taken': 409,
  'application.client-id-taken': 409,
  'application.not-a-client': 409,
  'application.secret-needed': 409,
  'application-category.not-found': 404,
  'application-category.code-taken': 409,
  'application-category.too-many': 409,
  'application-category.cycle': 409,
  'service-import.too-many': 413,
  'selection.changed': 409,
  'user.not-found': 404,
})
