import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  /** The same for an existing id and an unknown one. */
  'account-security.not-yours': 403,
  'account-security.nothing-bound': 409,
  'account-security.last-method': 409,
  'phone.malformed': 422,
  'phone.unchanged': 409,
  'phone.taken': 409,
  'mailbox.malformed': 422,
  'mailbox.unchanged': 409,
  'mailbox.taken': 409,
  'alias.malformed': 422,
  'alias.unchanged': 409,
  'alias.taken': 409,
  'alias.too-many-changes': 429,
  'alias.too-many-tries': 429,
})
