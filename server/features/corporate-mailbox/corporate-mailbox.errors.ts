import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  /** No rule gives this person an address of their own, or there are no mailboxes. */
  'corporate-mailbox.none': 403,
  /** The provider knows no such mailbox. */
  'corporate-mailbox.unknown': 409,
  'corporate-mailbox.stopped': 409,
  'corporate-mailbox.unavailable': 502,
  /** Ours to mend. */
  'corporate-mailbox.misconfigured': 502,
  'corporate-mailbox.too-many': 429,
  /** A former state that the product of today does not understand. */
  'corporate-mailbox.former-invalid': 409,
})
