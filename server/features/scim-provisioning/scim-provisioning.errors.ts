import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'scim.not-found': 404,
  /** A value that must be unique is taken. */
  'scim.taken': 409,
  'scim.invalid-value': 400,
  'scim.immutable': 400,
  'scim.version-mismatch': 412,
  /** Super users and administrators can't be changed by clients. */
  'scim.protected': 403,
  /** They were not disabled by this client. */
  'scim.disabled-elsewhere': 403,
  /** The filter compares an attribute with an unsuitable value. */
  'scim.cannot-compare': 400,
  'scim.member-unknown': 400,
  'scim.too-many-members': 400,
  'scim.group-in-use': 409,
  'scim.not-creator': 403,
})
