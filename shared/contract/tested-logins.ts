import { z } from 'zod'
import { post } from './endpoint.ts'

/** Why a login at another system came to nothing: each has the message `vendor-fault.<reason>`. */
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
] as const

/**
 * What would become of who came back: `bound` they are linked already · `matched` they would be linked by themselves · `created` an account
 * would be made · `asked` they would be asked whether they have one · `offered` they log in and link · `refused`.
 */
export const TESTED_OUTCOMES = ['bound', 'matched', 'created', 'asked', 'offered', 'refused'] as const

/** A login that nobody was logged in by. */
export const TestedLogin = z.object({
  fault: z
    .object({
      reason: z.enum(LOGIN_FAULTS),
      /** The vendor's. */
      code: z.string().nullable(),
      /** The step at which, as in the log. */
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
  /** Who it is here, when it is somebody. */
  person: z.object({ account: z.string(), name: z.string() }).nullable(),
})
export type TestedLogin = z.infer<typeof TestedLogin>

export const readTestedLogin = post(
  '/vendor/tested_login/',
  'superUser',
  z.strictObject({ code: z.string().regex(/^\w{32}$/) }),
  TestedLogin,
  { summary: 'What came back from a login that was only tested', errors: ['third-party.flow-invalid'] },
)
