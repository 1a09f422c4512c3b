import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'scim.not-found': 404,
  /** Somebody, or something, has what no two have. */
  'scim.taken': 409,
  'scim.invalid-value': 400,
  'scim.immutable': 400,
  'scim.version-mismatch': 412,
  /** Super users and administrators are nobody's but their own. */
  'scim.protected': 403,
  /** Whoever disabled them, it was not this client. */
  'scim.disabled-elsewhere': 403,
  /** The filter names what the value can't be compared with. */
  'scim.cannot-compare': 400,
  'scim.member-unknown': 400,
  'scim.too-many-members': 400,
  'scim.group-in-use': 409,
  'scim.not-creator': 403,
})
