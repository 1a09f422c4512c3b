import { v7 } from 'uuid'
import type { BackgroundTask, listTasks } from '#shared/contract/background-tasks.ts'
import { DAY_MS } from '#shared/rules/durations.ts'
import type { Input } from '../../platform/http/mount.ts'
import { toIso } from '../../platform/iso-time.ts'
import { type Context, callerOf, type Platform, transaction } from '../../platform/platform.ts'
import { visibleOwner } from '../access/index.ts'
import { recordAudit } from '../records/index.ts'
import { errors } from './background-tasks.errors.ts'
import {
  deleteTasksBefore,
  findTask,
  insertTask,
  pageOfTasks,
  requestCancel,
  type TaskRow,
} from './background-tasks.store.ts'

type NewTask = { kind: string; input: unknown; total: number }

/** Queues a task of the caller in their transaction; it starts on commit. @returns its id. */
export const startTask = (ctx: Context, task: NewTask): Promise<string> => queueTask(ctx, task, callerOf(ctx).userId)

/**
 * The same for a job: the task has no owner, runs as the system, and only super users see it. Don't use it for somebody's call: nobody's
 * permissions would be checked.
 */
export const startScheduledTask = (ctx: Context, task: NewTask): Promise<string> => queueTask(ctx, task, null)

async function queueTask(ctx: Context, { kind, input, total }: NewTask, ownerId: string | null): Promise<string> {
  const id = v7()
  const { ip, userAgent, requestId, language } = ctx.client
  const client = { ip, userAgent, requestId, language }
  await insertTask(ctx.db, { id, kind, ownerId, client, input, total, at: ctx.now() })
  return id
}

function toBackgroundTask(ctx: Context, row: TaskRow): BackgroundTask {
  const { error, errorParams, createdAt, startedAt, finishedAt, ...told } = row
  const message = error === null ? '' : ctx.translate(ctx.client.language, `errors.${error}`, errorParams)
  return {
    ...told,
    error: error === null ? null : { code: error, message },
    createdAt: createdAt.toISOString(),
    startedAt: toIso(startedAt),
    finishedAt: toIso(finishedAt),
  }
}

/** @throws Refusal `list.too-deep`. */
export async function tasksPage(ctx: Context, query: Input<typeof listTasks>['query']) {
  const filter = { ownerId: visibleOwner(ctx), state: query.state ?? null, search: query.search }
  const page = await pageOfTasks(ctx.db, { ...filter, oldestFirst: query.sort === 'createdAt' }, query)
  return { ...page, records: page.records.map((row) => toBackgroundTask(ctx, row)) }
}

/** @throws Refusal `task.not-found`, also for another person's unless the caller is a super user. */
export async function getTask(ctx: Context, id: string): Promise<BackgroundTask> {
  const row = await findTask(ctx.db, id, visibleOwner(ctx))
  if (!row) throw errors['task.not-found']()
  return toBackgroundTask(ctx, row)
}

/** @throws Refusal `task.not-found`, `task.has-ended`. */
export async function cancelBackgroundTask(ctx: Context, id: string): Promise<void> {
  await transaction(ctx, async (inner) => {
    const row = await findTask(inner.db, id, visibleOwner(inner))
    if (!row) throw errors['task.not-found']()
    if (!(await requestCancel(inner.db, id, inner.now()))) throw errors['task.has-ended']()
    const before = { kind: row.kind, done: row.done, total: row.total }
    await recordAudit(inner, { action: 'task.cancel', targetKind: 'task', targetId: id, before })
  })
}

const RETENTION_DAYS = 180

/** Nightly: deletes tasks that ended half a year ago; what they did stays in the audit records. */
export async function deleteOldTasks(platform: Platform): Promise<void> {
  await deleteTasksBefore(platform.sql, new Date(platform.now().getTime() - RETENTION_DAYS * DAY_MS))
}
