import { availableParallelism } from 'node:os'
import { errors } from '../../platform/errors.ts'

/**
 * `person`: somebody waits for the answer; goes first, and is rejected if the queue is too long. `background`: an import; waits as long as
 * it takes. `start`: the same before the node serves anybody, so it may use every processor.
 */
export type HashPriority = 'person' | 'background' | 'start'

/**
 * Hashes computed concurrently, on the runtime's own thread pool. One core stays free for everything else, and one of the pool's four
 * threads for files and names. Measured with 8 clients logging in on 2 cores: p99 of a light GET 4 to 7 ms with one lane, 13 ms with two at
 * the same throughput; worker threads cost the same and gained 2 ms.
 */
const LANES = Math.min(Math.max(availableParallelism() - 1, 1), 3)

const LANES_AT_START = Math.min(availableParallelism(), 4)

const MAX_QUEUE_MS = 2000

type WaitingQueues = { person: (() => void)[]; background: (() => void)[] }

const waiting: WaitingQueues = { person: [], background: [] }
let running = 0
/** Moving average of one computation's duration; the first ones correct the start value. */
let averageMs = 15

/**
 * Runs a slow computation in the bounded pool shared by all password hashing of this process.
 * @throws Refusal `service.busy` (503 with Retry-After) if a person would wait for more than about two seconds.
 */
export async function inHashPool<T>(urgency: HashPriority, compute: () => Promise<T>): Promise<T> {
  if (running < (urgency === 'start' ? LANES_AT_START : LANES)) running += 1
  else await waitForLane(urgency)
  const started = performance.now()
  try {
    return await compute()
  } finally {
    averageMs += 0.1 * (performance.now() - started - averageMs)
    // The lane is passed on without becoming free in between, so that nobody can overtake.
    const next = waiting.person.shift() ?? waiting.background.shift()
    if (next) next()
    else running -= 1
  }
}

/** Even a very slow machine admits a few. */
const MIN_ADMITTED = 8

let admitted = 0

/**
 * Runs a login that will hash a password, from its first lookup to its answer. A node with more requests than it can hash in about two
 * seconds rejects the rest before doing any work for them: rejecting late would cost as much as serving.
 * @throws Refusal `service.busy` (503 with Retry-After).
 */
export async function withHashAdmission<T>(run: () => Promise<T>): Promise<T> {
  const maxAdmitted = Math.max(MIN_ADMITTED, Math.floor((MAX_QUEUE_MS * LANES) / averageMs))
  if (admitted >= maxAdmitted) throw errors['service.busy']({ retryAfter: MAX_QUEUE_MS / 1000 })
  admitted += 1
  try {
    return await run()
  } finally {
    admitted -= 1
  }
}

/** The logins by password that are in progress on this node. */
export const countAdmittedLogins = (): number => admitted

function waitForLane(urgency: HashPriority): Promise<void> {
  const ms = (averageMs * waiting.person.length) / LANES
  if (urgency === 'person' && ms > MAX_QUEUE_MS) throw errors['service.busy']({ retryAfter: ms / 1000 })
  return new Promise((begin) => waiting[urgency === 'person' ? 'person' : 'background'].push(begin))
}
