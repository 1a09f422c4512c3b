import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'application.unknown': 403,
  'application.disabled': 403,
  'application.not-granted': 403,
  /** The application knows people by what the person's account lacks. */
  'application.mailbox-missing': 403,
  'application.phone-missing': 403,
  'application.alias-missing': 403,
  'application.user-name-missing': 403,
  /** `method=HEADER`. */
  'application.header-not-offered': 400,
  /** An access rule; `message` says what the rule says. */
  'rule.refused': 403,
  /** For a script on a session that lacks its second factor; `data` says what it can be. */
  'session.second-factor-missing': 403,
})
