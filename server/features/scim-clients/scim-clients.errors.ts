import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'scim-client.name-taken': 409,
  'scim-client.too-many': 409,
  'scim-client.token-not-found': 404,
  /** Unknown, expired or of a disabled client: not distinguished. */
  'scim.bad-token': 401,
  'scim.scope-needed': 403,
  'scim.too-many-calls': 429,
  /** It would change more within 24 hours than it may: one for each kind. */
  'scim.too-many-disabled': 403,
  'scim.too-many-moved': 403,
  'scim.too-many-renamed': 403,
  'scim.too-many-created': 403,
  /** More than that in one request. */
  'scim.too-many-at-once': 403,
})
