import { defineErrors } from '../../platform/errors.ts'

/** The 401s come before a password is proved and are identical for every name; the 403s come only after a correct password. */
export const errors = defineErrors({
  /** Unknown name, wrong password, no password, too many failures: one answer. */
  'sign-in.refused': 401,
  /** Wrong, too old or used code, nobody's phone, too many failures: one answer. */
  'sign-in.code-refused': 401,
  'sign-in.captcha-required': 401,
  'sign-in.captcha-wrong': 401,
  /** The first factor was correct; `data` says what else is required. */
  'sign-in.second-factor-required': 401,
  'sign-in.second-factor-wrong': 401,
  'sign-in.second-factor-locked': 429,
  'sign-in.second-factor-expired': 401,
  'sign-in.passkey-refused': 401,
  'sign-in.disabled': 403,
  'sign-in.locked': 403,
  'sign-in.frozen': 403,
  'sign-in.expired': 403,
  'sign-in.not-yet': 403,
  'sign-in.inactive': 403,
  /** By an access rule, after the proof; `message` is the rule's. */
  'sign-in.rule-refused': 403,
  /** The session limit is reached, after the proof; `data` is `SessionLimitData` in a browser. */
  'sign-in.too-many-sessions': 403,
  /** This login type is switched off. */
  'sign-in.type-off': 403,
  /** Neither a phone number nor a mailbox. */
  'sign-in.no-target': 422,
})
