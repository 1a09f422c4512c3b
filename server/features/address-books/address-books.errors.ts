import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'book-sync.name-taken': 409,
  'book-sync.no-secret': 400,
  'book-sync.no-root': 400,
  'book-sync.no-disable': 400,
  'book-sync.no-category': 400,
  /** Mailboxes hold mail: runs never delete one. */
  'book-sync.no-delete': 400,
  /** Coremail has no host of its own, and creates mailboxes only where it is told. */
  'book-sync.incomplete': 400,
  /** The mailboxes of the institution are at another provider, or not set up. */
  'book-sync.other-provider': 400,
  'book-sync.one-provider': 409,
  'book-sync.off': 409,
  'book-sync.preview-only': 409,
  'book-sync.running': 409,
  'book-sync.no-run': 404,
  'book-sync.not-waiting': 409,
  'book-sync.not-done': 409,
  'book-sync.forgotten': 409,
  'book-sync.too-old': 409,
  'book-sync.changed': 409,
})
