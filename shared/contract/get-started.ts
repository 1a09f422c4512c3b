import { z } from 'zod'
import { Empty, get, post } from './endpoint.ts'

/** The steps of setting up an installation, in order; each has the messages `get-started.<name>` and below. */
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

/** What only an administrator can know: settings document `getStarted`. */
export const GetStartedMarks = z.strictObject({
  /** The list is hidden for everybody. */
  isDismissed: z.boolean().default(false),
  /** When, and by which account, a backup was confirmed as made and restored. */
  backupTestedAt: z.iso.datetime().nullable().default(null),
  backupTestedBy: z.string().max(100).nullable().default(null),
})
export type GetStartedMarks = z.infer<typeof GetStartedMarks>

/**
 * Why a partly done step is open: `proxy`, the address is https but this request was not; `own`, the rule is enabled
 * but the caller has no second factor.
 */
const Hint = z.enum(['proxy', 'own'])

export const GetStarted = GetStartedMarks.extend({
  steps: z.array(z.object({ name: z.enum(GET_STARTED_STEPS), isDone: z.boolean(), hint: Hint.nullable() })),
})
export type GetStarted = z.infer<typeof GetStarted>

export const queryGetStarted = get('/get_started/query/', 'superUser', Empty, GetStarted, {
  summary: 'The remaining steps until an installation is ready',
})

export const updateGetStarted = post(
  '/get_started/update/',
  'superUser',
  z.strictObject({
    isDismissed: z.boolean().optional(),
    /** True: the caller confirms now that a backup was made and restored. */
    isBackupTested: z.boolean().optional(),
  }),
  GetStarted,
  { summary: 'Confirm the backup, hide the list or show it again', errors: ['settings.set-by-file'] },
)
