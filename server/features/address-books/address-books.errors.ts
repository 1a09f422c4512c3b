import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'book-sync.name-taken': 409,
  'book-sync.no-secret': 400,
  'book-sync.no-root': 400,
  'book-sync.no-disable': 400,
  'book-sync.no-category': 400,
  'book-sync.running': 409,
  'book-sync.no-run': 404,
  'book-sync.not-waiting': 409,
  'book-sync.not-done': 409,
  'book-sync.too-old': 409,
  'book-sync.changed': 409,
})
