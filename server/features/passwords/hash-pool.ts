import { availableParallelism } from 'node:os'
import { errors } from '../../platform/errors.ts'

/**
 * `person`: somebody waits for the answer; goes first, and is refused when the queue is too long.
 * `background`: an import; waits as long as it takes.
 * `start`: the same before the node serves anybody, so it may have every processor.
 */
export type Urgency = 'person' | 'background' | 'start'

/**
 * Hashes computed at the same time, on threads of the runtime's own pool. One core stays free for everything else, and
 * one of the pool's four threads for files and names. Measured with 8 clients logging in on 2 cores: p99 of a light GET
 * 4 to 7 ms with one lane, 13 ms with two at the same throughput; worker threads cost the same and gained 2 ms.
 */
const LANES = Math.min(Math.max(availableParallelism() - 1, 1), 3)

const LANES_AT_START = Math.min(availableParallelism(), 4)

const LONGEST_QUEUE_MS = 2000

type Waiting = { person: (() => void)[]; background: (() => void)[] }

const waiting: Waiting = { person: [], background: [] }
let running = 0
/** Duration of one computation, a moving average; the start value is corrected by the first ones. */
let usualMs = 15

/**
 * Runs a slow computation in the bounded pool that all password hashing of this process shares.
 * @throws Refusal `service.busy` (503 with Retry-After) when a person would wait for more than about two seconds.
 */
export async function inHashPool<T>(urgency: Urgency, compute: () => Promise<T>): Promise<T> {
  if (running < (urgency === 'start' ? LANES_AT_START : LANES)) running += 1
  else await turn(urgency)
  const started = performance.now()
  try {
    return await compute()
  } finally {
    usualMs += 0.1 * (performance.now() - started - usualMs)
    // The lane is handed on without becoming free in between, so that nobody overtakes.
    const next = waiting.person.shift() ?? waiting.background.shift()
    if (next) next()
    else running -= 1
  }
}

function turn(urgency: Urgency): Promise<void> {
  const ms = (usualMs * waiting.person.length) / LANES
  if (urgency === 'person' && ms > LONGEST_QUEUE_MS) throw errors['service.busy']({ retryAfter: ms / 1000 })
  return new Promise((begin) => waiting[urgency === 'person' ? 'person' : 'background'].push(begin))
}
