import { z } from 'zod'
import { Done, Empty, get, Id, ListQuery, pageOf, post } from './endpoint.ts'

const TaskState = z.enum(['queued', 'running', 'done', 'failed', 'cancelled'])

/** Work that goes on after its request was answered. */
export const BackgroundTask = z.object({
  id: Id,
  /** `noun.verb`; each has the message `task.<kind>`. */
  kind: z.string(),
  /** Who started it; null: a schedule. */
  ownerName: z.string().nullable(),
  state: TaskState,
  /** How many of `total` things are done. */
  done: z.number().int(),
  total: z.number().int(),
  /** Somebody asked to stop it; it ends after the step that runs. */
  isCancelling: z.boolean(),
  /** What it answers in the end; each kind its own. */
  result: z.unknown(),
  /** The code of the refusal that ended it, and its words. */
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
  { summary: 'Background tasks, my own; super users see everyone’s', errors: ['list.too-deep'] },
)

const TaskPath = z.strictObject({ id: Id })

export const taskDetails = get('/background_task/{id}/details/', 'administrator', TaskPath, BackgroundTask, {
  summary: 'How far a background task is',
  errors: ['task.not-found'],
})

export const cancelTask = post('/background_task/{id}/cancel/', 'administrator', Empty, Done, {
  query: TaskPath,
  summary: 'Stop a background task after the step that runs; what is done stays done',
  errors: ['task.not-found', 'task.has-ended'],
})
