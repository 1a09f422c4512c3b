import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  /** Never begun, begun in another browser or for something else, already used, or expired. */
  'third-party.flow-invalid': 400,
  'third-party.cancelled': 400,
  'third-party.unavailable': 502,
  'third-party.refused': 400,
  /** Too many rejected codes from this address. */
  'third-party.too-many': 429,
  'third-party.unusable': 502,
  /** Its answer is longer than any proper one. */
  'third-party.too-large': 502,
  /** The institution's own settings or permissions at the provider are wrong. */
  'third-party.misconfigured': 502,
  /** Known to the provider, but not as a member of this institution. */
  'third-party.not-member': 403,
  /** A member, but the application is not visible to them there. */
  'third-party.not-visible': 403,
  /** A temporary account that the provider creates for mere viewers. */
  'third-party.snapshot': 403,
  /** Nobody here is linked to this identity. */
  'third-party.unbound': 403,
  /** What the provider says about them can't become an account here. */
  'third-party.not-created': 403,
  'third-party.already-bound': 409,
  'third-party.taken': 409,
  'third-party.not-bound': 409,
  'third-party.last-method': 409,
})
