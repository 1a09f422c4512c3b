import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'role.not-found': 404,
  'role.code-taken': 409,
  'role.members-changed': 409,
  'role.person-not-found': 404,
  'role.member-not-found': 404,
  /** By their department or category, which can't be removed together with the role. */
  'role.held-by-group': 409,
})
