import { z } from 'zod'
import { Empty, get, post } from './endpoint.ts'

/** Methods of reauthentication, in the order in which they are offered. */
export const REAUTHENTICATION_METHODS = ['password', 'totp', 'passkey', 'phone', 'mailbox'] as const
export const ReauthenticationMethod = z.enum(REAUTHENTICATION_METHODS)
export type ReauthenticationMethod = z.infer<typeof ReauthenticationMethod>

export const OfferedMethod = z.object({
  method: ReauthenticationMethod,
  /** Identifies the contact: a masked number or address. Empty for other methods. */
  hint: z.string(),
})
export type OfferedMethod = z.infer<typeof OfferedMethod>

export const queryReauthentication = get(
  '/reauthentication/query/',
  'completing',
  Empty,
  z.object({
    /** Until when sensitive changes need no reauthentication; null: needed now. Without a method, a recent login suffices. */
    freshUntil: z.iso.datetime().nullable(),
    methods: z.array(OfferedMethod),
  }),
  { summary: 'Whether I have reauthenticated recently, and the available methods' },
)

/** Sends a code, or creates the challenge for an authenticator. Other methods need no begin. */
export const beginReauthentication = post(
  '/reauthentication/begin/',
  'completing',
  z.strictObject({ method: ReauthenticationMethod }),
  z.object({
    /** Seconds until another code can be requested. */
    secondsLeft: z.number().int(),
    /** What the browser needs, such as the options of a passkey. */
    options: z.unknown(),
  }),
  {
    summary: 'Begin reauthentication',
    errors: [
      'reauthentication.method-unavailable',
      'verification-code.too-soon',
      'verification-code.too-many',
      'verification-code.too-many-tries',
      'verification-code.unavailable',
    ],
  },
)

/** Valid for ten minutes in this portal session only; lost at logout and at a change of the password. */
export const submitReauthentication = post(
  '/reauthentication/submit/',
  'completing',
  z.strictObject({
    method: ReauthenticationMethod,
    /** The password, the code, or the authenticator's answer as JSON, exactly as typed. */
    answer: z.string().min(1).max(8192),
  }),
  z.object({ freshUntil: z.iso.datetime() }),
  {
    summary: 'Reauthenticate',
    errors: [
      'reauthentication.method-unavailable',
      'reauthentication.wrong-password',
      'password.too-many-attempts',
      'verification-code.wrong',
      'verification-code.expired',
      'verification-code.too-many-tries',
      'second-factor.code-wrong',
      'second-factor.too-many-attempts',
      'passkey.refused',
      'service.busy',
    ],
  },
)
