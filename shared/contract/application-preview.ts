import { z } from 'zod'
import { get, Id } from './endpoint.ts'

/** One step of a login as it would go. */
const Step = z.object({
  /** Each has the message `login-step.<name>`. */
  name: z.enum(['address', 'account', 'access', 'user-name', 'release', 'logout']),
  result: z.enum(['passed', 'refused', 'skipped', 'warned']),
  /** Each has the message `login-step.reason.<name>`; null when there is nothing to say. */
  reason: z.string().nullable(),
  /** An address, a name or a number that belongs to the reason. */
  detail: z.string().nullable(),
  /** When it is over by itself. */
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
    /** Where the login would lead; the first registered one otherwise. */ address: z.string().max(2010).optional(),
  }),
  z.object({
    userName: z.string().nullable(),
    attributes: z.array(z.object({ name: z.string(), values: z.array(z.string()) })),
    /** Listed, but this person has no value for it. */
    missing: z.array(z.string()),
    steps: z.array(Step),
    /** What the application would be answered, by the code that answers it. */
    answers: z.array(Answer),
  }),
  {
    summary: 'A login of a person to an application, step by step, and all that the application would learn',
    errors: ['application.not-found', 'user.not-found'],
  },
)
