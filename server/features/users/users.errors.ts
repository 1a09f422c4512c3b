import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  /** Nobody, or somebody whom the caller may not see. */
  'user.not-found': 404,
  /** `data` names the fields: see `FieldProblem`. */
  'user.invalid': 422,
  'user.last-super-user': 409,
  /** Nobody shuts themselves out. */
  'user.is-self': 409,
  'user.names-taken': 409,
  'user.no-contact': 422,
  'user.not-allowed': 403,
  /** The filters find another number of people than the person was shown. */
  'selection.changed': 409,
})
