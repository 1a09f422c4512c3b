import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { Pool } from 'undici'
import { createVisitor, expect, LOGIN, logIn } from './client.ts'
import { distribute } from './distribute.ts'
import { measure, percentile } from './measure.ts'
import { processTree, usageOf } from './processes.ts'
import { PASSWORD, type Site } from './site.ts'

export const OVERLOAD = 'overload: ten times the logins that fit'

/** The multiple of the capacity that is offered. */
const TIMES = 10
const TICK_MS = 10
/** Enough that no request of the generator waits for a connection. */
const CONNECTIONS = 2000
const CAPACITY_CONCURRENCY = 16

export type Overload = {
  /** Logins per second in a closed loop, and offered and served ones under overload. */
  capacity: number
  offered: number
  served: number
  /** Logins served per second of server CPU, relative to the closed loop; the target is 0.8. */
  goodput: number | null
  /** Milliseconds. */
  servedP50: number
  servedP95: number
  refusedP50: number
  refusedP99: number
  lightP50: number
  lightP99: number
  lightFailed: number
  /** Answers other than a ticket or a 503 with Retry-After. */
  errors: number
  firstError: string | null
}

type Outcomes = { served: number[]; refused: number[]; errors: number; firstError: string | null }

/** Starts `perSecond` logins per second for `seconds`, regardless of the answers, and waits for the last answer. */
async function offer(site: Site, perSecond: number, seconds: number): Promise<Outcomes> {
  const pool = new Pool(site.url, { connections: CONNECTIONS })
  const next = distribute(site.accounts, 1)
  const outcomes: Outcomes = { served: [], refused: [], errors: 0, firstError: null }
  const one = async () => {
    const from = performance.now()
    try {
      const visitor = createVisitor(pool, site.url, next(0))
      const answer = await visitor.post(LOGIN, { username: visitor.account, password: PASSWORD })
      if (answer.status === 503) outcomes.refused.push(performance.now() - from)
      else {
        expect(answer.status === 302 && answer.location.includes('ticket=ST-'), 'expected a ticket or 503', answer)
        outcomes.served.push(performance.now() - from)
      }
    } catch (error) {
      outcomes.errors += 1
      outcomes.firstError ??= String(error)
    }
  }
  const started: Promise<void>[] = []
  const begin = performance.now()
  while (performance.now() - begin < seconds * 1000) {
    const due = Math.floor(((performance.now() - begin) / 1000) * perSecond) - started.length
    for (let count = 0; count < due; count++) started.push(one())
    await new Promise((done) => setTimeout(done, TICK_MS))
  }
  await Promise.all(started)
  await pool.close()
  return outcomes
}

/** Offers ten times the logins that can be served, while another thread requests a light page. */
export async function measureOverload(site: Site, seconds: number): Promise<Overload> {
  const pool = new Pool(site.url, { connections: CAPACITY_CONCURRENCY })
  const next = distribute(site.accounts, CAPACITY_CONCURRENCY)
  const login = async (worker: number) => void (await logIn(createVisitor(pool, site.url, next(worker))))
  await measure(login, CAPACITY_CONCURRENCY, Math.min(2, seconds / 4), null)
  const capacity = await measure(login, CAPACITY_CONCURRENCY, seconds, site.pid)
  await pool.close()
  const family = site.pid === null ? [] : processTree(site.pid)
  const probe = new Worker(new URL('light-probe.ts', import.meta.url), { workerData: site.url })
  const before = usageOf(family).cpuMs
  const { served, refused, errors, firstError } = await offer(site, TIMES * capacity.perSecond, seconds)
  const cpuMs = (usageOf(family).cpuMs - before) / Math.max(1, served.length)
  probe.postMessage('stop')
  const [light] = (await once(probe, 'message')) as [{ times: number[]; failed: number }]
  for (const times of [served, refused, light.times]) times.sort((a, b) => a - b)
  return {
    capacity: capacity.perSecond,
    offered: (served.length + refused.length + errors) / seconds,
    served: served.length / seconds,
    goodput: capacity.cpuMs === null ? null : capacity.cpuMs / cpuMs,
    servedP50: percentile(served, 0.5),
    servedP95: percentile(served, 0.95),
    refusedP50: percentile(refused, 0.5),
    refusedP99: percentile(refused, 0.99),
    lightP50: percentile(light.times, 0.5),
    lightP99: percentile(light.times, 0.99),
    lightFailed: light.failed,
    errors: errors + capacity.errors,
    firstError: firstError ?? capacity.firstError,
  }
}

export function printOverload(figures: Overload): void {
  const whole = (value: number) => value.toFixed(0)
  const { goodput } = figures
  console.log(`\n${OVERLOAD}
    capacity ${whole(figures.capacity)} a second, offered ${whole(figures.offered)}, served ${whole(figures.served)}
    served for a second of server CPU: ${goodput === null ? '–' : `${whole(goodput * 100)} %`} of the capacity's (80 asked)
    served p50 ${whole(figures.servedP50)} ms, p95 ${whole(figures.servedP95)} ms
    refused p50 ${whole(figures.refusedP50)} ms (100 asked), p99 ${whole(figures.refusedP99)} ms
    login page meanwhile p50 ${whole(figures.lightP50)} ms, p99 ${whole(figures.lightP99)} ms (50 asked), ${figures.lightFailed} failed
    errors ${figures.errors}${figures.firstError ? `, first: ${figures.firstError}` : ''}`)
}
