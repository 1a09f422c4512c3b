import { z } from 'zod'
import { Empty, get, post } from './endpoint.ts'

/** What makes a new installation ready, in this order; each has the messages `get-started.<name>` and below. */
export const GET_STARTED_STEPS = [
  'https',
  'institution',
  'mail',
  'sms',
  'second-factor',
  'people',
  'application',
  'backup',
] as const
export type GetStartedStep = (typeof GET_STARTED_STEPS)[number]

/** What nobody can look up but an administrator: settings document `getStarted`. */
export const GetStartedMarks = z.strictObject({
  /** The list is not shown any more, to nobody. */
  isDismissed: z.boolean().default(false),
  /** When somebody said that a backup was made and restored, and whose account that was. */
  backupTestedAt: z.iso.datetime().nullable().default(null),
  backupTestedBy: z.string().max(100).nullable().default(null),
})
export type GetStartedMarks = z.infer<typeof GetStartedMarks>

/** Why a step is open although part of it is done: `proxy`, the address is https and this request did not arrive so; `own`, the rule is on and the caller has no second factor. */
const Hint = z.enum(['proxy', 'own'])

export const GetStarted = GetStartedMarks.extend({
  steps: z.array(z.object({ name: z.enum(GET_STARTED_STEPS), isDone: z.boolean(), hint: Hint.nullable() })),
})
export type GetStarted = z.infer<typeof GetStarted>

export const queryGetStarted = get('/get_started/query/', 'superUser', Empty, GetStarted, {
  summary: 'What is left to do before an installation is ready',
})

export const updateGetStarted = post(
  '/get_started/update/',
  'superUser',
  z.strictObject({
    isDismissed: z.boolean().optional(),
    /** True: a backup was made and restored, says the caller, now. */
    isBackupTested: z.boolean().optional(),
  }),
  GetStarted,
  { summary: 'Ticks the backup, hides the list or shows it again', errors: ['settings.set-by-file'] },
)
