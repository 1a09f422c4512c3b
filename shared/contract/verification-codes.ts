import { z } from 'zod'
import { OWN_FIELD_ERRORS } from './account-fields.ts'
import type { CaptchaKind } from './captcha.ts'
import { post } from './endpoint.ts'

/** What a code is good for; one sent for a login opens nothing else. */
export const CodePurpose = z.enum([
  'login',
  'recovery',
  'activation',
  'bind-phone',
  'bind-mailbox',
  'identity-proof',
  'second-factor',
])
export type CodePurpose = z.infer<typeof CodePurpose>

export type CodeChannel = 'sms' | 'mail'

export const CODE_MINUTES = 5
/** Before another code can be asked for. */
export const RESEND_SECONDS = 60
/** Wrong tries after which a code is worth nothing. */
export const MAX_CODE_TRIES = 5

/** How many codes may leave: settings document `verificationCodes`, and `settings.verificationCodes` of the bootstrap file. */
export const VerificationCodeLimits = z.strictObject({
  /** To one phone or mailbox, and for one typed name. */
  perTargetADay: z.number().int().min(1).max(1000).default(10),
  /** To phones and mailboxes that one person names, in order to bind them. */
  chosenPerPersonADay: z.number().int().min(1).max(1000).default(20),
  /** One address may be a whole campus. */
  perAddressAnHour: z.number().int().min(1).max(1_000_000).default(2000),
  inAllADay: z.number().int().min(1).max(100_000_000).default(20_000),
  /** Pages without a login ask for a captcha once so many codes were sent from an address within an hour. */
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
  /** Seconds before another code can be asked for. */
  secondsLeft: z.number().int(),
  /** Seconds for which this one is good. */
  expiresInSeconds: z.number().int(),
})
export type CodeSent = z.infer<typeof CodeSent>

/** `data` of `verification-code.captcha-required` and `-captcha-wrong`; the captcha's purpose is `verification-code`. */
export type CodeRefusalData = { captcha: { kind: z.infer<typeof CaptchaKind> } | null }

/** `data` of `verification-code.too-soon`. */
export type TooSoonData = { secondsLeft: number }

const extra = {
  query: z.strictObject({
    /** My own user id, or for a page without a login what that page goes by: `login`, the id of a recovery or an activation. */
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
    // Of what is to be bound.
    ...OWN_FIELD_ERRORS,
    // Whose own codes they are.
    'session.required',
    'session.limited',
    'session.second-factor-required',
    'permission.denied',
    // Of the pages without a login, by purpose.
    'sign-in.type-off',
    'sign-in.no-target',
    'password-recovery.expired',
    'password-recovery.way-unavailable',
    'activation.expired',
    'activation.out-of-step',
    'activation.no-phone',
    'activation.no-mailbox',
  ],
}

/**
 * Sends a code by mail. `mailbox` is named only where it isn't on file: for a login and for binding. Before a login the answer is the
 * same whether or not anybody has that mailbox.
 */
export const sendEmail = post(
  '/user_information/{id}/send_email',
  'public',
  CodeRequest.extend({ mailbox: Target.optional() }),
  CodeSent,
  { ...extra, summary: 'Send a verification code by mail' },
)

/** As `sendEmail`, to a phone. */
export const sendPhoneCaptcha = post(
  '/user_information/{id}/send_phonecaptcha/',
  'public',
  CodeRequest.extend({ phone: Target.optional() }),
  CodeSent,
  { ...extra, summary: 'Send a verification code to a phone' },
)
