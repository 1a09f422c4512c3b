import { z } from 'zod'

/** A tick box as forms, scripts and JSON write it. */
const CheckboxValue = z
  .union([z.boolean(), z.enum(['true', 'on', '1', 'yes', 'false', 'off', '0', 'no', ''])])
  .optional()
  .transform((value) => value === true || (typeof value === 'string' && /^(true|on|1|yes)$/.test(value)))

/**
 * What `POST /fwk_cas_service/login` takes, form-encoded or JSON. Fields that CAS clients send by habit (`lt`, `execution`,
 * `_eventId`, `submit`) are ignored. The password is taken as it was typed: neither trimmed nor cut.
 */
export const SignInForm = z.object({
  username: z.string().min(1).max(256),
  password: z.string().min(1).max(1024),
  rememberMe: CheckboxValue,
  warn: CheckboxValue,
  captchaId: z.string().max(100).optional(),
  captcha: z.string().max(200).optional(),
})
export type SignInForm = z.output<typeof SignInForm>

/** How a ticket reaches an application: in its address, in a form, or in its address as the artifact of SAML 1.1. */
export const TICKET_METHODS = ['GET', 'POST', 'SAMLart'] as const
export type TicketMethod = (typeof TICKET_METHODS)[number]

/** The same for login type `captcha`: a code that was sent to a bound phone or mailbox. */
export const CodeSignInForm = z.object({
  loginType: z.literal('captcha'),
  /** The phone or mailbox. */
  username: z.string().min(1).max(256),
  code: z.string().min(1).max(200),
  rememberMe: CheckboxValue,
  warn: CheckboxValue,
  captchaId: z.string().max(100).optional(),
  captcha: z.string().max(200).optional(),
})
export type CodeSignInForm = z.output<typeof CodeSignInForm>

/** A passkey alone: `AuthenticationResponseJSON`, to a challenge of purpose `login`. */
export const PasskeySignInForm = z.object({
  loginType: z.literal('passkey'),
  passkey: z.string().min(1).max(16_384),
  rememberMe: CheckboxValue,
  warn: CheckboxValue,
})
export type PasskeySignInForm = z.output<typeof PasskeySignInForm>

/** The second step of a login that waits for it, or of a session that lacks it. */
export const SecondStepForm = z.object({
  loginType: z.literal('second-factor'),
  factor: z.enum(['typed', 'passkey']),
  /** The code of an authenticator app or a recovery code, which look different; with `passkey`: `AuthenticationResponseJSON`, to a challenge of purpose `second-factor`. */
  code: z.string().min(1).max(16_384),
  /** Ask this browser no more for some days. */
  trust: CheckboxValue,
})
export type SecondStepForm = z.output<typeof SecondStepForm>

/** The end of a login that was refused for want of room: which logins end for it. */
export const RoomForm = z.object({
  loginType: z.literal('make-room'),
  ends: z
    .union([z.string().max(100), z.array(z.string().max(100)).max(1000)])
    .default([])
    .transform((ids) => (typeof ids === 'string' ? [ids] : ids)),
})
export type RoomForm = z.output<typeof RoomForm>

/** The logins that stand in the way of one more, the one unused for longest first. */
export type RoomStep = {
  most: number
  /** How many of them must end. */
  toEnd: number
  logins: { id: string; browser: string; device: string; ip: string; lastSeen: string }[]
}

/** `data` of `sign-in.too-many-sessions` in a browser: everything was right, and this login waits there. */
export type RoomData = { room: RoomStep }

/** `data` of a refused login: what the next try has to bring. */
export type SignInRefusalData = { captcha: { kind: 'proof-of-work' | 'picture' | 'slider' } | null }

/** What a person can prove a second factor with. */
export type SecondFactorStep = {
  totp: boolean
  recovery: boolean
  passkey: { rpId: string; allow: { id: string; transports: string[] }[] } | null
  /** Days for which this browser can be trusted; 0: not at all. */
  trustDays: number
}

/** `data` of `sign-in.second-factor-required|wrong|locked`: the first factor was right, and this is what is still asked. */
export type SecondFactorData = { secondFactor: SecondFactorStep }
