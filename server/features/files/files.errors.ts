import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'file.not-found': 404,
  'file.unreadable-picture': 422,
  'file.too-large': 413,
  'file.busy': 503,
  'file.too-many-uploads': 429,
})
