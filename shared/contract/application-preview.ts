import { z } from 'zod'
import { get, Id } from './endpoint.ts'

/** One step of the simulated login. */
const Step = z.object({
  /** Each has the message `login-step.<name>`. */
  name: z.enum(['address', 'account', 'access', 'rules', 'user-name', 'release', 'logout']),
  result: z.enum(['passed', 'refused', 'skipped', 'warned']),
  /** Each has the message `login-step.reason.<name>`; null: none. */
  reason: z.string().nullable(),
  /** An address, a name or a number for the reason. */
  detail: z.string().nullable(),
  /** When it ends by itself. */
  until: z.iso.datetime().nullable(),
  milliseconds: z.number(),
})
export type LoginStep = z.infer<typeof Step>

const Answer = z.object({
  /** Each has the message `released.<name>`. */
  name: z.enum(['cas-xml', 'cas-json', 'id-token', 'userinfo', 'oauth-profile']),
  text: z.string(),
})

export const previewRelease = get(
  '/application_manage/{id}/preview/',
  'superUser',
  z.strictObject({
    id: Id,
    userId: Id,
    /** The target address; by default the first registered one. */ address: z.string().max(2010).optional(),
  }),
  z.object({
    userName: z.string().nullable(),
    attributes: z.array(z.object({ name: z.string(), values: z.array(z.string()) })),
    /** Released attributes without a value for this person. */
    missing: z.array(z.string()),
    steps: z.array(Step),
    /** The answers to the application, produced by the production code. */
    answers: z.array(Answer),
  }),
  {
    summary: 'Simulate the login of a person to an application, step by step, with all attributes it would receive',
    errors: ['application.not-found', 'user.not-found'],
  },
)
