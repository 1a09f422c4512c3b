import { z } from 'zod'
import { Done, Empty, get, Id, ListQuery, pageOf, post } from './endpoint.ts'

const TaskState = z.enum(['queued', 'running', 'done', 'failed', 'cancelled'])

/** Work that continues after the request was answered. */
export const BackgroundTask = z.object({
  id: Id,
  /** `noun.verb`; each has the message `task.<kind>`. */
  kind: z.string(),
  /** Who started it; null: a schedule. */
  ownerName: z.string().nullable(),
  state: TaskState,
  /** How many of `total` are done. */
  done: z.number().int(),
  total: z.number().int(),
  /** Cancellation was requested; it ends after the current step. */
  isCancelling: z.boolean(),
  /** The result, specific to each kind. */
  result: z.unknown(),
  /** The code and message of the refusal that ended it. */
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  createdAt: z.iso.datetime(),
  startedAt: z.iso.datetime().nullable(),
  finishedAt: z.iso.datetime().nullable(),
})
export type BackgroundTask = z.infer<typeof BackgroundTask>

export const listTasks = get(
  '/background_task/query/',
  'administrator',
  ListQuery.extend({ state: TaskState.optional(), sort: z.enum(['createdAt', '-createdAt']).default('-createdAt') }),
  pageOf(BackgroundTask),
  { summary: 'My background tasks; super users see everyone’s', errors: ['list.too-deep'] },
)

const TaskPath = z.strictObject({ id: Id })

export const taskDetails = get('/background_task/{id}/details/', 'administrator', TaskPath, BackgroundTask, {
  summary: 'The progress of a background task',
  errors: ['task.not-found'],
})

export const cancelTask = post('/background_task/{id}/cancel/', 'administrator', Empty, Done, {
  query: TaskPath,
  summary: 'Stop a background task after the current step; what is done stays done',
  errors: ['task.not-found', 'task.has-ended'],
})
