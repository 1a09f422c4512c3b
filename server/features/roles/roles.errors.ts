import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'role.not-found': 404,
  'role.code-taken': 409,
  'role.members-changed': 409,
  'role.person-not-found': 404,
  'role.member-not-found': 404,
})
