import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'application.unknown': 403,
  'application.disabled': 403,
  'application.not-granted': 403,
  /** For a script on a session that lacks its second factor; `data` says what it can be. */
  'session.second-factor-missing': 403,
})
