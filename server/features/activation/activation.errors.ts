import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  /** The one answer of the information check, whatever was wrong. */
  'activation.refused': 422,
  'activation.captcha-required': 422,
  'activation.captcha-wrong': 422,
  /** Unknown, used, too old, or of an account that may not be activated. */
  'activation.code-refused': 422,
  'activation.not-offered': 404,
  /** Another step is due, or the proof is that of another step, browser or person. */
  'activation.out-of-step': 409,
  'activation.expired': 410,
  /** Somebody else was faster, or the account may not be activated any more. */
  'activation.over': 409,
  'activation.step-required': 409,
  'activation.no-phone': 422,
  'activation.no-mailbox': 422,
  'activation.phone-taken': 409,
  'activation.mailbox-taken': 409,
})
