import { z } from 'zod'
import { OWN_FIELD_ERRORS } from './account-fields.ts'
import type { CaptchaKind } from './captcha.ts'
import { post } from './endpoint.ts'
import { MESSAGE_CHANNELS } from './message-routes.ts'

/** The purpose of a code; one sent for a login is not valid for anything else. */
export const CodePurpose = z.enum([
  'login',
  'recovery',
  'activation',
  'bind-phone',
  'bind-mailbox',
  'reauthentication',
  'second-factor',
])
export type CodePurpose = z.infer<typeof CodePurpose>

export type CodeChannel = 'sms' | 'mail'

export const CODE_MINUTES = 5
/** Seconds until another code can be requested. */
export const RESEND_SECONDS = 60
/** Wrong attempts that invalidate a code. */
export const MAX_CODE_TRIES = 5

/**
 * The limits of codes: settings document `verificationCodes`, and `settings.verificationCodes` of the bootstrap file.
 */
export const VerificationCodeLimits = z.strictObject({
  /** Per phone or email address, and per typed name. */
  perTargetADay: z.number().int().min(1).max(1000).default(10),
  /** To contacts that one person enters to bind them. */
  chosenPerPersonADay: z.number().int().min(1).max(1000).default(20),
  /** One address may be a whole campus. */
  perAddressAnHour: z.number().int().min(1).max(1_000_000).default(2000),
  inAllADay: z.number().int().min(1).max(100_000_000).default(20_000),
  /** Pages without a login demand a captcha after this many codes for an address within an hour. */
  captchaPerAddressAnHour: z.number().int().min(0).max(1_000_000).default(20),
  /** The same for one typed name within a day. */
  captchaPerTargetADay: z.number().int().min(0).max(1000).default(3),
})
export type VerificationCodeLimits = z.infer<typeof VerificationCodeLimits>

const Target = z.string().min(1).max(256)

const CodeRequest = z.strictObject({
  purpose: CodePurpose,
  captchaId: z.string().max(100).optional(),
  captcha: z.string().max(200).optional(),
})

const CodeSent = z.object({
  /** Seconds until another code can be requested. */
  secondsLeft: z.number().int(),
  /** Seconds until this one expires. */
  expiresInSeconds: z.number().int(),
  /** Where it may arrive, in this order: by the settings alone, whoever it is for. */
  channels: z.array(z.enum(MESSAGE_CHANNELS)),
})
export type CodeSent = z.infer<typeof CodeSent>

/** `data` of `verification-code.captcha-required` and `-captcha-wrong`; the captcha's purpose is `verification-code`. */
export type CodeRefusalData = { captcha: { kind: z.infer<typeof CaptchaKind> } | null }

/** `data` of `verification-code.too-soon`. */
export type TooSoonData = { secondsLeft: number }

const extra = {
  query: z.strictObject({
    /** The user id, or on a page without a login: `login`, or the id of a recovery or an activation. */
    id: z.string().min(1).max(100),
  }),
  errors: [
    'verification-code.too-soon',
    'verification-code.too-many',
    'verification-code.too-many-tries',
    'verification-code.unavailable',
    'verification-code.captcha-required',
    'verification-code.captcha-wrong',
    'verification-code.no-target',
    // Of the contact to be bound.
    ...OWN_FIELD_ERRORS,
    // For one's own codes.
    'session.required',
    'session.limited',
    'session.second-factor-required',
    'permission.denied',
    // For pages without a login, by purpose.
    'sign-in.type-off',
    'sign-in.no-target',
    'password-recovery.expired',
    'password-recovery.method-unavailable',
    'activation.expired',
    'activation.out-of-step',
    'activation.no-phone',
    'activation.no-mailbox',
  ],
}

/**
 * Sends a code by mail. `mailbox` is given only if it isn't on file: for a login and for binding. Before a login the
 * answer does not depend on whether the address exists.
 */
export const sendEmail = post(
  '/user_information/{id}/send_email',
  'public',
  CodeRequest.extend({ mailbox: Target.optional() }),
  CodeSent,
  { ...extra, summary: 'Send a verification code by mail' },
)

/** As `sendEmail`, by text message. */
export const sendPhoneCaptcha = post(
  '/user_information/{id}/send_phonecaptcha/',
  'public',
  CodeRequest.extend({ phone: Target.optional() }),
  CodeSent,
  { ...extra, summary: 'Send a verification code to a phone' },
)
