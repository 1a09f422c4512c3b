import { v7 } from 'uuid'
import { Refusal } from '../../platform/errors.ts'
import { type Context, type Platform, systemContext } from '../../platform/platform.ts'
import { inBackground } from '../../platform/slices.ts'
import { type QueuePoller, runWorkQueue } from '../../platform/work-queue.ts'
import { isAdministrator } from '../access/index.ts'
import { errors } from './background-tasks.errors.ts'
import {
  type ClaimedTask,
  claimTasks,
  endTask,
  findOwner,
  QUEUE,
  releaseTask,
  updateHeartbeat,
} from './background-tasks.store.ts'

export type RunningTask = {
  id: string
  input: unknown
  /** The count of an earlier run that was interrupted by a killed node; 0 in the first. */
  done: number
  total: number
  /**
   * Reports progress. Inside the transaction of a step (`db`) the step counts only if this node still holds the task.
   * @throws Error if it does not, or is stopping: let it propagate.
   */
  progress(done: number, db?: Context['db']): Promise<void>
  /** The same by increment, for concurrent steps. */
  advance(more: number, db?: Context['db']): Promise<void>
  /** Was a stop requested? Then `run` finishes the step and returns what was done. */
  cancelled(): boolean
}

export type Task = {
  /** `noun.verb`, with the message `task.<kind>`. */
  kind: string
  /**
   * Runs as the person who started it, with their current permissions, or as the system. Must be resumable: it can be interrupted at any
   * point and run again.
   */
  run(ctx: Context, task: RunningTask): Promise<unknown>
  /** It waits for other systems, which may be silent until they time out. The others don't wait behind it, for a place or its owner. */
  waitsForOthers?: true
}

export const defineTask = (task: Task): Task => task

/** Concurrent tasks on this node, of those that wait for other systems and of those that don't. */
const MAX_CONCURRENT_TASKS = 2
const HEARTBEAT_MS = 5000
/** Several heartbeats, so that only a dead node’s task is taken over; together with the poll interval within thirty seconds. */
const HEARTBEAT_TIMEOUT_MS = 20_000
/** A task that crashes its node must not do so forever. */
const MAX_ATTEMPTS = 4

/** The node that runs a task no longer holds it, or returns it. */
class TaskLostError extends Error {}

type RunnerNode = {
  platform: Platform
  background: Platform
  runner: string
  running: Map<string, Task>
  stopping: boolean
}

/**
 * Runs queued tasks from their commit on, each on one node; that of a killed node continues on another.
 * @param background with the connections on which the tasks themselves run
 */
export async function startTasks(
  platform: Platform,
  tasks: readonly Task[],
  background = platform,
): Promise<{ stop(): Promise<void> }> {
  const node: RunnerNode = { platform, background, runner: v7(), running: new Map(), stopping: false }
  const queue = await runWorkQueue(platform, {
    channel: QUEUE,
    name: 'background tasks',
    async claimDue(looking) {
      for (const waits of [undefined, true] as const)
        await claimDueTasks(
          node,
          tasks.filter(({ waitsForOthers }) => waitsForOthers === waits),
          looking,
        )
    },
  })
  return {
    stop() {
      node.stopping = true
      return queue.stop()
    },
  }
}

/** Of tasks that may hold up each other. */
async function claimDueTasks(node: RunnerNode, tasks: readonly Task[], looking: QueuePoller): Promise<void> {
  const { platform, runner, running } = node
  const room = MAX_CONCURRENT_TASKS - [...running.values()].filter((one) => tasks.includes(one)).length
  if (room <= 0 || tasks.length === 0) return
  const claimed = await claimTasks(platform.sql, {
    kinds: tasks.map(({ kind }) => kind),
    runner,
    now: platform.now(),
    silentMs: HEARTBEAT_TIMEOUT_MS,
    running: [...running.keys()],
    most: room,
  })
  for (const one of claimed) {
    const task = tasks.find(({ kind }) => kind === one.kind)
    if (!task) continue
    running.set(one.id, task)
    const work = runClaimed(node, task, one).finally(() => {
      running.delete(one.id)
      looking.poll()
    })
    looking.track(work)
  }
}

async function runClaimed(node: RunnerNode, task: Task, claimed: ClaimedTask): Promise<void> {
  const { platform, runner } = node
  const hold = { id: claimed.id, runner }
  const { sql, log, now } = platform
  let cancelling = false
  const noteCancelling = (seen: { isCancelling: boolean } | null) => {
    if (!seen) throw new TaskLostError()
    cancelling ||= seen.isCancelling
  }
  const heart = setInterval(() => {
    void updateHeartbeat(sql, hold).then(
      (seen) => {
        cancelling ||= seen?.isCancelling ?? false
      },
      () => {},
    )
  }, HEARTBEAT_MS).unref()
  try {
    if (claimed.attempts > MAX_ATTEMPTS) throw errors['task.interrupted']()
    const ctx = await loadOwnerContext(node.background, claimed)
    const wasSuperUser = ctx.caller?.isSuperUser === true
    const saveProgress = async (how: { done: number } | { more: number }, db: Context['db'] = sql) => {
      if (node.stopping) throw new TaskLostError()
      noteCancelling(await updateHeartbeat(db, hold, how))
      // If the owner was disabled or lost their permissions meanwhile, not one more step is done.
      const owner = claimed.ownerId === null ? null : await getOwner(db, claimed.ownerId, now())
      if (wasSuperUser && !owner?.isSuperUser) throw new Refusal('permission.denied', 403)
    }
    const running: RunningTask = {
      ...claimed,
      cancelled: () => cancelling,
      progress: (done, db) => saveProgress({ done }, db),
      advance: (more, db) => saveProgress({ more }, db),
    }
    const result = await inBackground(() => task.run(ctx, running))
    const state = cancelling ? 'cancelled' : 'done'
    await endTask(sql, hold, { state, result, error: null, now: now() })
  } catch (error) {
    await recordFailure(node, hold, error).catch((err) => log.warn({ err, task: claimed.id }, 'background task'))
  } finally {
    clearInterval(heart)
  }
}

async function recordFailure({ platform, stopping }: RunnerNode, hold: { id: string; runner: string }, error: unknown) {
  const { sql, log, now } = platform
  if (error instanceof TaskLostError || stopping) return await releaseTask(sql, hold)
  if (!(error instanceof Refusal)) log.error({ err: error, task: hold.id }, 'background task failed')
  const refusal = error instanceof Refusal ? error : new Refusal('server.error', 500)
  const { code, params } = refusal
  await endTask(sql, hold, { state: 'failed', result: null, error: { code, params }, now: now() })
}

/** @throws Refusal `permission.denied` if the owner can no longer log in, or administers nothing. */
async function getOwner(db: Context['db'], id: string, now: Date) {
  const owner = await findOwner(db, id, now)
  if (!owner || !isAdministrator(owner)) throw new Refusal('permission.denied', 403)
  return owner
}

/** As the owner requested it, with their address; but with current permissions. @throws Refusal `permission.denied`. */
async function loadOwnerContext(platform: Platform, { ownerId, client }: ClaimedTask): Promise<Context> {
  if (ownerId === null) return { ...systemContext(platform), client }
  const owner = await getOwner(platform.sql, ownerId, platform.now())
  const caller = {
    userId: ownerId,
    ...owner,
    sessionId: '',
    ssoSessionId: '',
    limited: false,
    lacksFactor: false,
    lacksFields: false,
  }
  return { ...systemContext(platform), client, caller }
}
