import { z } from 'zod'

/** A checkbox value as forms, scripts and JSON write it. */
const CheckboxValue = z
  .union([z.boolean(), z.enum(['true', 'on', '1', 'yes', 'false', 'off', '0', 'no', ''])])
  .optional()
  .transform((value) => value === true || (typeof value === 'string' && /^(true|on|1|yes)$/.test(value)))

/**
 * The input of `POST /fwk_cas_service/login`, form-encoded or JSON. Fields that CAS clients send by habit (`lt`,
 * `execution`, `_eventId`, `submit`) are ignored. The password is used exactly as typed.
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

/**
 * How a ticket is passed to an application: in its address, in a form, or in its address as the artifact of SAML 1.1.
 */
export const TICKET_METHODS = ['GET', 'POST', 'SAMLart'] as const
export type TicketMethod = (typeof TICKET_METHODS)[number]

/** The same for login type `captcha`: a code sent to a bound phone or email address. */
export const CodeSignInForm = z.object({
  loginType: z.literal('captcha'),
  /** The phone number or email address. */
  username: z.string().min(1).max(256),
  code: z.string().min(1).max(200),
  rememberMe: CheckboxValue,
  warn: CheckboxValue,
  captchaId: z.string().max(100).optional(),
  captcha: z.string().max(200).optional(),
})
export type CodeSignInForm = z.output<typeof CodeSignInForm>

/** A passkey alone: `AuthenticationResponseJSON`, for a challenge of purpose `login`. */
export const PasskeySignInForm = z.object({
  loginType: z.literal('passkey'),
  passkey: z.string().min(1).max(16_384),
  rememberMe: CheckboxValue,
  warn: CheckboxValue,
})
export type PasskeySignInForm = z.output<typeof PasskeySignInForm>

/** The second factor of a pending login, or of a session that lacks it. */
export const SecondFactorForm = z.object({
  loginType: z.literal('second-factor'),
  factor: z.enum(['typed', 'passkey']),
  /**
   * The code of an authenticator app or a recovery code, told apart by their form; with `passkey`:
   * `AuthenticationResponseJSON`, for a challenge of purpose `second-factor`.
   */
  code: z.string().min(1).max(16_384),
  /** Trust this browser for some days. */
  trust: CheckboxValue,
})
export type SecondFactorForm = z.output<typeof SecondFactorForm>

/** Completes a login refused by the login limit: the logins to end. */
export const SessionLimitForm = z.object({
  loginType: z.literal('end-sessions'),
  ends: z
    .union([z.string().max(100), z.array(z.string().max(100)).max(1000)])
    .default([])
    .transform((ids) => (typeof ids === 'string' ? [ids] : ids)),
})
export type SessionLimitForm = z.output<typeof SessionLimitForm>

/** The person's current logins, the one unused for longest first. */
export type SessionLimitStep = {
  most: number
  /** How many of them must end. */
  toEnd: number
  logins: { id: string; browser: string; device: string; ip: string; lastSeen: string }[]
}

/** `data` of `sign-in.too-many-sessions` in a browser: everything was correct, and this login is waiting. */
export type SessionLimitData = { sessionLimit: SessionLimitStep }

/** `data` of a refused login: what the next attempt needs. */
export type SignInRefusalData = { captcha: { kind: 'proof-of-work' | 'picture' | 'slider' } | null }

/** The second factors that a person can use. */
export type SecondFactorStep = {
  totp: boolean
  recovery: boolean
  passkey: { rpId: string; allow: { id: string; transports: string[] }[] } | null
  /** Days that this browser can be trusted; 0: not at all. */
  trustDays: number
}

/**
 * `data` of `sign-in.second-factor-required|wrong|locked`: the first factor was correct, and this is still required.
 */
export type SecondFactorData = { secondFactor: SecondFactorStep }
