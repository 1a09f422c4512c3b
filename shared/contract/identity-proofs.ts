import { z } from 'zod'
import { Empty, get, post } from './endpoint.ts'

/** Ways to prove again who sits there, in the order in which they are offered. */
export const PROOF_METHODS = ['password', 'totp', 'passkey', 'phone', 'mailbox'] as const
export const ProofMethodName = z.enum(PROOF_METHODS)
export type ProofMethodName = z.infer<typeof ProofMethodName>

export const OfferedProof = z.object({
  method: ProofMethodName,
  /** What tells the person which one it is: a masked number. Empty where there is nothing to tell. */
  hint: z.string(),
})
export type OfferedProof = z.infer<typeof OfferedProof>

export const queryIdentityProof = get(
  '/identity_proof/query/',
  'completing',
  Empty,
  z.object({
    /** Until when sensitive changes may be made without a new proof; null: a proof is needed now. */
    freshUntil: z.iso.datetime().nullable(),
    methods: z.array(OfferedProof),
  }),
  { summary: 'Whether I have proved lately who I am, and how I can' },
)

/** Sends a code, or makes the challenge that an authenticator answers. Methods that need neither have nothing to begin. */
export const beginIdentityProof = post(
  '/identity_proof/begin/',
  'completing',
  z.strictObject({ method: ProofMethodName }),
  z.object({
    /** Seconds before another code can be asked for. */
    secondsLeft: z.number().int(),
    /** What the browser needs for its part, such as the options of a passkey. */
    options: z.unknown(),
  }),
  {
    summary: 'Begin to prove who I am',
    errors: [
      'identity-proof.method-unavailable',
      'verification-code.too-soon',
      'verification-code.too-many',
      'verification-code.too-many-tries',
      'verification-code.unavailable',
    ],
  },
)

/** Good for ten minutes in this portal session alone; lost at logout and at a change of the password. */
export const proveIdentity = post(
  '/identity_proof/prove/',
  'completing',
  z.strictObject({
    method: ProofMethodName,
    /** The password, the code, or what the authenticator answered, as JSON. Taken as it was typed. */
    answer: z.string().min(1).max(8192),
  }),
  z.object({ freshUntil: z.iso.datetime() }),
  {
    summary: 'Prove who I am',
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
