import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  /** No rule gives this person an address of their own, or mailboxes are off. */
  'corporate-mailbox.none': 403,
  /** The provider has no such mailbox. */
  'corporate-mailbox.unknown': 409,
  'corporate-mailbox.stopped': 409,
  'corporate-mailbox.unavailable': 502,
  /** Its answer is none of its interface: too long, or not even JSON. */
  'corporate-mailbox.unusable': 502,
  /** Wrong settings or permissions: for the institution to fix. */
  'corporate-mailbox.misconfigured': 502,
  'corporate-mailbox.too-many': 429,
  /** A former state in a format that this version doesn't support. */
  'corporate-mailbox.former-invalid': 409,
})
