import { z } from 'zod'
import { post } from './endpoint.ts'
import { NETWORK_PROBLEMS } from './network-problems.ts'

/** Why a third-party login failed: each has the message `vendor-fault.<reason>`. */
export const LOGIN_FAULTS = [
  'cancelled',
  'refused',
  'unavailable',
  'unusable',
  'misconfigured',
  'not-member',
  'not-visible',
  'snapshot',
  'signed-out',
  ...NETWORK_PROBLEMS,
] as const

/**
 * The outcome for the person: `bound` already linked · `matched` would be linked automatically · `created` an account
 * would be created · `asked` would be asked whether they have one · `offered` would log in and link · `refused`.
 */
export const TESTED_OUTCOMES = ['bound', 'matched', 'created', 'asked', 'offered', 'refused'] as const

/** The result of a test login, which logs nobody in. */
export const TestedLogin = z.object({
  fault: z
    .object({
      reason: z.enum(LOGIN_FAULTS),
      /** The vendor's code. */
      code: z.string().nullable(),
      /** The failed step, as in the log. */
      detail: z.string(),
    })
    .nullable(),
  identity: z
    .object({
      realm: z.string(),
      subject: z.string(),
      name: z.string(),
      claims: z.record(z.string(), z.string()),
      verified: z.array(z.enum(['phone', 'mailbox'])),
    })
    .nullable(),
  outcome: z.enum(TESTED_OUTCOMES).nullable(),
  /** The person here, if known. */
  person: z.object({ account: z.string(), name: z.string() }).nullable(),
})
export type TestedLogin = z.infer<typeof TestedLogin>

export const readTestedLogin = post(
  '/vendor/tested_login/',
  'superUser',
  z.strictObject({ code: z.string().regex(/^\w{32}$/) }),
  TestedLogin,
  { summary: 'The result of a test login', errors: ['third-party.flow-invalid'] },
)
