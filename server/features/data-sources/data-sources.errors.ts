import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'data-source.name-taken': 409,
  'data-source.incomplete': 400,
  'data-source.bad-ca': 400,
  'data-source.bad-filter': 400,
  'data-source.bad-address': 400,
  'data-source.bad-key': 400,
  'data-source.bad-host-key': 400,
  'data-source.bad-path': 400,
  'data-source.too-many': 409,
  'data-source.not-a-file': 409,
  'data-source.no-rows': 422,
  'data-source.in-use': 409,
})
