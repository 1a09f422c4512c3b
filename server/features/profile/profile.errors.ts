import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'profile.not-yours': 403,
  'profile.bad-nickname': 422,
  'profile.bad-birthday': 422,
  'profile.bad-id-number': 422,
})
