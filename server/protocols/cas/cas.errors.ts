import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'application.unknown': 403,
  'application.disabled': 403,
  'application.not-granted': 403,
  /** The person lacks the attribute by which the application knows people. */
  'application.mailbox-missing': 403,
  'application.phone-missing': 403,
  'application.alias-missing': 403,
  'application.user-name-missing': 403,
  /** `method=HEADER`. */
  'application.header-not-offered': 400,
  /** By an access rule; `message` is the rule's. */
  'rule.refused': 403,
  /** For a script on a session that lacks its second factor; `data` lists the possible ones. */
  'session.second-factor-missing': 403,
})
