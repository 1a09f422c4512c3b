import { v7 } from 'uuid'
import { Refusal } from '../../platform/errors.ts'
import { type Context, type Platform, systemContext } from '../../platform/platform.ts'
import { type Looking, workOnQueue } from '../../platform/work-queue.ts'
import { errors } from './background-tasks.errors.ts'
import { beat, type Claimed, claimTasks, endTask, findOwner, QUEUE, releaseTask } from './background-tasks.store.ts'

export type RunningTask = {
  id: string
  input: unknown
  /** What an earlier run, cut off by a killed node, had counted; 0 in the first. */
  done: number
  total: number
  /**
   * Tells how far it is. Inside the transaction of a step (`db`) the step counts only as long as this node holds the task.
   * @throws Error when it does not any more, or is stopping: let it pass.
   */
  progress(done: number, db?: Context['db']): Promise<void>
  /** The same by how much further it is, for steps that are under way at once. */
  advance(more: number, db?: Context['db']): Promise<void>
  /** Has somebody asked to stop it? Then the step is finished, and `run` returns what was done. */
  cancelled(): boolean
}

export type Task = {
  /** `noun.verb`, with the message `task.<kind>`. */
  kind: string
  /** As the person who started it, with the rights they have by now. Must bear being cut off and run again. */
  run(ctx: Context, task: RunningTask): Promise<unknown>
}

export const defineTask = (task: Task): Task => task

/** Under way at once on this node. */
const MOST_AT_ONCE = 2
const HEARTBEAT_MS = 5000
/** Many heartbeats, so that only a dead node's task is taken up by another. */
const SILENCE_MS = 30_000
/** A task that takes its node down with it must not do so for ever. */
const MOST_ATTEMPTS = 4

/** The node that runs a task does not hold it any more, or gives it back. */
class TaskLost extends Error {}

type Node = { platform: Platform; runner: string; running: Set<string>; stopping: boolean }

/** Runs what has been queued, from the commit on, each task on one node; that of a killed node goes on at another. */
export async function startTasks(platform: Platform, tasks: readonly Task[]): Promise<{ stop(): Promise<void> }> {
  const node: Node = { platform, runner: v7(), running: new Set(), stopping: false }
  const queue = await workOnQueue(platform, {
    channel: QUEUE,
    name: 'background tasks',
    takeDue: (looking) => takeDue(node, tasks, looking),
  })
  return {
    stop() {
      node.stopping = true
      return queue.stop()
    },
  }
}

async function takeDue(node: Node, tasks: readonly Task[], looking: Looking): Promise<void> {
  const { platform, runner, running } = node
  const room = MOST_AT_ONCE - running.size
  if (room <= 0) return
  const now = platform.now()
  const claimed = await claimTasks(platform.sql, {
    kinds: tasks.map(({ kind }) => kind),
    runner,
    now,
    silentSince: new Date(now.getTime() - SILENCE_MS),
    running: [...running],
    most: room,
  })
  for (const one of claimed) {
    const task = tasks.find(({ kind }) => kind === one.kind)
    if (!task) continue
    running.add(one.id)
    const work = runClaimed(node, task, one).finally(() => {
      running.delete(one.id)
      looking.look()
    })
    looking.underWay(work)
  }
}

async function runClaimed(node: Node, task: Task, claimed: Claimed): Promise<void> {
  const { platform, runner } = node
  const hold = { id: claimed.id, runner }
  const { sql, log, now } = platform
  let cancelling = false
  const note = (seen: { isCancelling: boolean } | null) => {
    if (!seen) throw new TaskLost()
    cancelling ||= seen.isCancelling
  }
  const heart = setInterval(() => {
    void beat(sql, hold, { now: now() }).then(
      (seen) => {
        cancelling ||= seen?.isCancelling ?? false
      },
      () => {},
    )
  }, HEARTBEAT_MS).unref()
  try {
    if (claimed.attempts > MOST_ATTEMPTS) throw errors['task.interrupted']()
    const ctx = await contextOf(platform, claimed)
    const wasSuperUser = ctx.caller?.isSuperUser === true
    const told = async (how: { done: number } | { more: number }, db: Context['db'] = sql) => {
      if (node.stopping) throw new TaskLost()
      note(await beat(db, hold, { now: now(), ...how }))
      // Whoever was stopped, or has lost what they were, since it began: not a step further.
      const owner = await ownerOf(db, claimed.ownerId, now())
      if (wasSuperUser && !owner.isSuperUser) throw new Refusal('permission.denied', 403)
    }
    const result = await task.run(ctx, {
      ...claimed,
      cancelled: () => cancelling,
      progress: (done, db) => told({ done }, db),
      advance: (more, db) => told({ more }, db),
    })
    const state = cancelling ? 'cancelled' : 'done'
    await endTask(sql, hold, { state, result, error: null, now: now() })
  } catch (error) {
    await settle(node, hold, error).catch((err) => log.warn({ err, task: claimed.id }, 'background task'))
  } finally {
    clearInterval(heart)
  }
}

async function settle({ platform, stopping }: Node, hold: { id: string; runner: string }, error: unknown) {
  const { sql, log, now } = platform
  if (error instanceof TaskLost || stopping) return await releaseTask(sql, hold)
  if (!(error instanceof Refusal)) log.error({ err: error, task: hold.id }, 'background task failed')
  const refusal = error instanceof Refusal ? error : new Refusal('server.error', 500)
  const { code, params } = refusal
  await endTask(sql, hold, { state: 'failed', result: null, error: { code, params }, now: now() })
}

/** @throws Refusal `permission.denied` when the owner may not log in any more, or administers nothing. */
async function ownerOf(db: Context['db'], id: string, now: Date) {
  const owner = await findOwner(db, id, now)
  if (!owner || !(owner.isSuperUser || owner.powers)) throw new Refusal('permission.denied', 403)
  return owner
}

/** As the owner asked for it, from where; with the rights of now, not of then. @throws Refusal `permission.denied`. */
async function contextOf(platform: Platform, { ownerId, client }: Claimed): Promise<Context> {
  const owner = await ownerOf(platform.sql, ownerId, platform.now())
  const caller = { userId: ownerId, ...owner, sessionId: '', ssoSessionId: '', limited: false, lacksFactor: false }
  return { ...systemContext(platform), client, caller }
}
