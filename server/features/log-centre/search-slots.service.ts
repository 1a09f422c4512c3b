import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { workLimit } from '../../platform/work-limit.ts'
import { countAdmittedLogins } from '../passwords/index.ts'

/** Each may keep a core of the database busy for two seconds, so half of the cores stay for logins. */
const RUNNING = Math.max(1, availableParallelism() >> 1)
/**
 * While others wait, searches rest three times as long as they work: ten people who search all the time take a quarter of a core, and what
 * they wait for each other is longer anyway.
 */
const REST = 3
/** After what was longer, others wait no more than this. */
const MAX_REST_MS = 200
/** How long one interval may take while others wait. */
const SHORT_STEP_MS = 50
const STEP_MS = 250
/** For so long a search lets logins go first. */
const MAX_YIELD_MS = 100
const YIELD_STEP_MS = 5

const slots = workLimit({
  running: RUNNING,
  waiting: 20,
  waitMs: 8000,
  restMs: (tookMs) => Math.min(tookMs * REST, MAX_REST_MS),
})

/** Runs a search of a log as soon as there is room. @throws Refusal `service.busy`. */
export const withSearch = slots.run

/** The target duration of one interval. */
export const stepMs = (): number => (slots.hasWaiting() ? SHORT_STEP_MS : STEP_MS)

/** Between two intervals of a search. @param tookMs what the one before took */
export async function giveWay(tookMs: number): Promise<void> {
  if (!slots.hasWaiting()) return
  await pause(Math.min(tookMs * REST, MAX_REST_MS))
  const until = performance.now() + MAX_YIELD_MS
  while (countAdmittedLogins() > 0 && performance.now() < until) await pause(YIELD_STEP_MS)
}
