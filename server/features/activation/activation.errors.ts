import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  /** The only failure of the information check, whatever was wrong. */
  'activation.refused': 422,
  'activation.captcha-required': 422,
  'activation.captcha-wrong': 422,
  /** Unknown, used, expired, or for an account that can't be activated. */
  'activation.code-refused': 422,
  'activation.not-offered': 404,
  /** Another step is due, or the proof belongs to another step, browser or person. */
  'activation.out-of-step': 409,
  'activation.expired': 410,
  /** Completed elsewhere meanwhile, or the account can't be activated any more. */
  'activation.over': 409,
  'activation.step-required': 409,
  'activation.no-phone': 422,
  'activation.no-mailbox': 422,
  'activation.phone-taken': 409,
  'activation.mailbox-taken': 409,
})
