import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'app-key.not-found': 404,
  'application.not-found': 404,
  'interface.not-found': 404,
  'interface.not-granted': 409,
  'open-api.application-disabled': 403,
  'open-api.interface-disabled': 403,
  'open-api.not-granted': 403,
  'open-api.organization-not-found': 404,
  'open-api.person-not-found': 404,
  'open-api.too-many-calls': 429,
})
