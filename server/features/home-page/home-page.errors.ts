import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'announcement.too-many': 409,
  'announcement.bad-period': 422,
  'announcement.text-without-title': 422,
  'favourite.too-many': 409,
})
