import { z } from 'zod'
import { Empty, get, post } from './endpoint.ts'

/** Methods of reauthentication, in the order in which they are offered. */
export const PROOF_METHODS = ['password', 'totp', 'passkey', 'phone', 'mailbox'] as const
export const ProofMethodName = z.enum(PROOF_METHODS)
export type ProofMethodName = z.infer<typeof ProofMethodName>

export const OfferedProof = z.object({
  method: ProofMethodName,
  /** Identifies the contact: a masked number or address. Empty for other methods. */
  hint: z.string(),
})
export type OfferedProof = z.infer<typeof OfferedProof>

export const queryIdentityProof = get(
  '/identity_proof/query/',
  'completing',
  Empty,
  z.object({
    /** Until when sensitive changes need no reauthentication; null: needed now. Without a method, a recent login suffices. */
    freshUntil: z.iso.datetime().nullable(),
    methods: z.array(OfferedProof),
  }),
  { summary: 'Whether I have reauthenticated recently, and the available methods' },
)

/** Sends a code, or creates the challenge for an authenticator. Other methods need no begin. */
export const beginIdentityProof = post(
  '/identity_proof/begin/',
  'completing',
  z.strictObject({ method: ProofMethodName }),
  z.object({
    /** Seconds until another code can be requested. */
    secondsLeft: z.number().int(),
    /** What the browser needs, such as the options of a passkey. */
    options: z.unknown(),
  }),
  {
    summary: 'Begin reauthentication',
    errors: [
      'identity-proof.method-unavailable',
      'verification-code.too-soon',
      'verification-code.too-many',
      'verification-code.too-many-tries',
      'verification-code.unavailable',
    ],
  },
)

/** Valid for ten minutes in this portal session only; lost at logout and at a change of the password. */
export const proveIdentity = post(
  '/identity_proof/prove/',
  'completing',
  z.strictObject({
    method: ProofMethodName,
    /** The password, the code, or the authenticator's answer as JSON, exactly as typed. */
    answer: z.string().min(1).max(8192),
  }),
  z.object({ freshUntil: z.iso.datetime() }),
  {
    summary: 'Reauthenticate',
    errors: [
      'identity-proof.method-unavailable',
      'identity-proof.wrong-password',
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
