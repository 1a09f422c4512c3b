import type { Language } from '#shared/contract/endpoint.ts'
import type { Permission } from '#shared/contract/permissions.ts'
import type { Db } from '../../platform/db.ts'
import { escapeLike, listPage, type PageQuery } from '../../platform/list.ts'
import { permissionsOf } from '../access/index.ts'

/** The channel notified by the commit that queues a task. */
export const QUEUE = 'gatehouse_tasks'

type TaskClient = { ip: string; userAgent: string; requestId: string; language: Language }
type NewTask = {
  id: string
  kind: string
  /** Null: a job. */
  ownerId: string | null
  client: TaskClient
  input: unknown
  total: number
  at: Date
}

export async function insertTask(db: Db, task: NewTask): Promise<void> {
  await db`
    with added as (
      insert into background_tasks (id, kind, owner_id, client, input, total, created_at)
      values (${task.id}, ${task.kind}, ${task.ownerId}, ${JSON.stringify(task.client)}::text::jsonb,
        ${JSON.stringify(task.input)}::text::jsonb, ${task.total}, ${task.at})
      returning 1)
    select pg_notify(${QUEUE}, '') from added`
}

export type ClaimedTask = {
  id: string
  kind: string
  ownerId: string | null
  client: TaskClient
  input: unknown
  done: number
  total: number
  attempts: number
}

type ClaimQuery = { kinds: string[]; runner: string; now: Date; silentMs: number; running: string[]; most: number }

/** By the database's clock: two nodes may differ by more than a heartbeat is waited for. */
const heartbeatNow = (db: Db) => db`clock_timestamp()`

/**
 * Claims the oldest tasks that are due or whose node has fallen silent, so that no other node runs them. One at a time per owner, so that
 * nobody waits for everything somebody else has queued; of those started by jobs, one per kind.
 */
export const claimTasks = (db: Db, { kinds, runner, now, silentMs, running, most }: ClaimQuery) => db<ClaimedTask[]>`
  with silent as materialized (select ${heartbeatNow(db)} - ${silentMs} * interval '1 ms' as since),
  due as materialized (
    select b.id from background_tasks b, silent
    where b.state in ('queued', 'running') and (b.state = 'queued' or b.heartbeat_at < silent.since)
      and b.kind = any(${kinds}) and b.id <> all(${running}::uuid[])
      and not exists (select from background_tasks o where o.id <> b.id and o.kind = any(${kinds})
        and (o.owner_id = b.owner_id or o.owner_id is null and b.owner_id is null and o.kind = b.kind)
        and (o.state = 'running' and o.heartbeat_at >= silent.since
          or o.state in ('queued', 'running') and (o.created_at, o.id) < (b.created_at, b.id)))
    order by b.created_at limit ${most} for update of b skip locked)
  update background_tasks t set state = 'running', runner = ${runner}, attempts = attempts + 1, heartbeat_at = ${heartbeatNow(db)},
    started_at = coalesce(started_at, ${now})
  from due where t.id = due.id
  returning t.id, kind, owner_id, client, input, done, total, attempts`

type TaskClaim = { id: string; runner: string }

/** @returns null if the task is no longer this runner's, else whether a stop was requested */
export async function updateHeartbeat(
  db: Db,
  { id, runner }: TaskClaim,
  { done = null, more = 0 }: { done?: number | null; more?: number } = {},
): Promise<{ isCancelling: boolean } | null> {
  const [row] = await db<{ isCancelling: boolean }[]>`
    update background_tasks set heartbeat_at = ${heartbeatNow(db)}, done = coalesce(${done}::int, done) + ${more}::int
    where id = ${id} and runner = ${runner} and state = 'running'
    returning cancel_asked_at is not null as is_cancelling`
  return row ?? null
}

/** The error that ended a task, with the parameters of its message. */
export type TaskError = { code: string; params: Record<string, string | number> }
type TaskOutcome = { state: 'done' | 'failed' | 'cancelled'; result: unknown; error: TaskError | null; now: Date }

export async function endTask(
  db: Db,
  { id, runner }: TaskClaim,
  { state, result, error, now }: TaskOutcome,
): Promise<void> {
  await db`
    update background_tasks set state = ${state}, result = ${JSON.stringify(result ?? null)}::text::jsonb,
      error = ${error?.code ?? null}, error_params = ${JSON.stringify(error?.params ?? {})}::text::jsonb,
      done = case when ${state} = 'done' then total else done end, finished_at = ${now}, runner = null
    where id = ${id} and runner = ${runner} and state = 'running'`
}

/** Returns tasks to the queue at a regular shutdown, so that another node need not wait for the timeout. */
export async function releaseTask(db: Db, { id, runner }: TaskClaim): Promise<void> {
  await db`
    with back as (
      update background_tasks set state = 'queued', runner = null, attempts = attempts - 1
      where id = ${id} and runner = ${runner} and state = 'running' returning 1)
    select pg_notify(${QUEUE}, '') from back`
}

type OwnerRow = { isSuperUser: boolean; permissions: Permission[] | null }

/** The owner's current permissions; null if they can no longer log in. */
export async function findOwner(db: Db, id: string, now: Date): Promise<OwnerRow | null> {
  const [row] = await db<OwnerRow[]>`
    select is_super_user, ${permissionsOf(db, db`users.id`, now)} as permissions
    from users where id = ${id} and enabled and deleted_at is null
      and (locked_at is null or locked_until <= ${now}) and (frozen_from is null or frozen_from > ${now} or frozen_until <= ${now})
      and (valid_from is null or valid_from <= ${now}) and (valid_until is null or valid_until > ${now})`
  return row ?? null
}

export type TaskRow = {
  id: string
  kind: string
  ownerName: string | null
  state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled'
  done: number
  total: number
  isCancelling: boolean
  result: unknown
  error: string | null
  errorParams: TaskError['params']
  createdAt: Date
  startedAt: Date | null
  finishedAt: Date | null
}

const columns = (db: Db) => db`
  t.id, t.kind, u.name as owner_name, t.state, t.done, t.total, t.cancel_asked_at is not null and t.state in ('queued', 'running')
  as is_cancelling, t.result, t.error, t.error_params, t.created_at, t.started_at,
  t.finished_at`

type TaskFilter = { ownerId: string | null; state: string | null; search: string }

const matchingTasks = (db: Db, { ownerId, state, search }: TaskFilter) => db`
  from background_tasks t left join users u on u.id = t.owner_id
  where true ${ownerId ? db`and t.owner_id = ${ownerId}` : db``} ${state ? db`and t.state = ${state}` : db``}
    ${search ? db`and u.name ilike ${`%${escapeLike(search)}%`}` : db``}`

export function pageOfTasks(db: Db, filter: TaskFilter & { oldestFirst: boolean }, query: PageQuery) {
  const from = matchingTasks(db, filter)
  return listPage(db, query, from, ({ asc, desc, bounds }) => {
    const direction = filter.oldestFirst ? asc : desc
    return db<TaskRow[]>`
      select ${columns(db)} ${from} order by t.created_at ${direction}, t.id ${direction} ${bounds}`
  })
}

/** @param ownerId null: any */
export async function findTask(db: Db, id: string, ownerId: string | null): Promise<TaskRow | null> {
  const [row] = await db<TaskRow[]>`
    select ${columns(db)} from background_tasks t left join users u on u.id = t.owner_id
    where t.id = ${id} ${ownerId ? db`and t.owner_id = ${ownerId}` : db``}`
  return row ?? null
}

/** A queued task ends at once, a running one at its next check. @returns false if it has already ended */
export async function requestCancel(db: Db, id: string, now: Date): Promise<boolean> {
  const { count } = await db`
    update background_tasks set cancel_asked_at = coalesce(cancel_asked_at, ${now}),
      state = case when state = 'queued' and started_at is null then 'cancelled' else state end,
      finished_at = case when state = 'queued' and started_at is null then ${now}::timestamptz end
    where id = ${id} and state in ('queued', 'running')`
  return count > 0
}

export async function deleteTasksBefore(db: Db, before: Date): Promise<void> {
  await db`delete from background_tasks where state not in ('queued', 'running') and created_at < ${before}`
}
