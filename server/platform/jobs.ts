import { setTimeout as pause } from 'node:timers/promises'
import type { PgBoss } from 'pg-boss'
import type { Platform } from './platform.ts'

/** A timed job of the whole cluster: whichever node comes first runs it, the others don't. */
export type Job = {
  /** `noun.verb`. */
  name: string
  /** Five fields, UTC; at most once a minute. */
  cron: string
  /** Must be resumable: it can be interrupted at any point and run again. */
  run(platform: Platform): Promise<void>
}

export const defineJob = (job: Job): Job => job

export type RunningJobs = {
  /** Requests one run as soon as possible, regardless of the schedule. */
  runSoon(name: string): Promise<void>
  /** Waits for the current runs to finish. */
  stop(): Promise<void>
}

const RETRY_MS = 5000

/** What is due at the same moment starts one after the other, but waits no longer than this for the one before. */
const STAGGER_MS = 250

/** While no notification can come. */
const POLL_SECONDS = 5
/** Otherwise: for what was sent while the listening connection was away, or by a node that does not notify yet. */
const NOTIFIED_POLL_SECONDS = 60

/**
 * Starts the schedule. It never throws: while the database is unavailable it retries, and a job's error is logged and the job run again at
 * its next time.
 */
export function startJobs(platform: Platform, jobs: readonly Job[]): RunningJobs {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let boss: Promise<PgBoss | null> = Promise.resolve(null)
  const start = async (): Promise<PgBoss | null> => {
    try {
      return await openQueue(platform, jobs)
    } catch (err) {
      platform.log.warn({ err }, 'timed work could not start, trying again')
      if (!stopped) timer = setTimeout(() => (boss = start()), RETRY_MS).unref()
      return null
    }
  }
  boss = start()
  return {
    async runSoon(name) {
      await (await boss)?.send(name)
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await (await boss)?.stop({ graceful: true, timeout: 5000, close: true })
    },
  }
}

async function openQueue(platform: Platform, jobs: readonly Job[]): Promise<PgBoss> {
  // Loaded here, because a start that listens first should not wait for it.
  const { PgBoss } = await import('pg-boss')
  const options = {
    connectionString: platform.config.databaseUrl ?? '',
    application_name: 'gatehouse jobs',
    max: 2,
    connectionTimeoutMillis: 5000,
    // For the queue's own statements, which are short; not for those of jobs. A statement that takes longer loses its connection.
    query_timeout: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // A run starts at once, and an idle node doesn't ask each queue every few seconds whether there is one.
    useListenNotify: true,
  }
  const boss = new PgBoss(options)
  boss.on('error', (err) => platform.log.warn({ err }, 'timed work'))
  await boss.start()
  await platform.sql`delete from job_runs where name <> all(${jobs.map(({ name }) => name)})`
  await updateQueues(boss, jobs)
  const runStaggered = stagger()
  for (const job of jobs) {
    await boss.createQueue(job.name, { policy: 'exclusive', retryLimit: 0, notify: true })
    await boss.schedule(job.name, job.cron)
    const polling = { pollingIntervalSeconds: POLL_SECONDS, notifyPollingIntervalSeconds: NOTIFIED_POLL_SECONDS }
    await boss.work(job.name, polling, () => runStaggered(() => runJob(platform, job)))
  }
  return boss
}

/** Brings the queues of an earlier version up to date: those of jobs that no longer exist would be filled for ever. */
async function updateQueues(boss: PgBoss, jobs: readonly Job[]): Promise<void> {
  const names = new Set(jobs.map(({ name }) => name))
  for (const { name, notify } of await boss.getQueues()) {
    // The scheduler's own.
    if (name.startsWith('__pgboss__')) continue
    // With its schedule.
    if (!names.has(name)) await boss.deleteQueue(name)
    else if (!notify) await boss.updateQueue(name, { notify: true })
  }
}

/** Most jobs take milliseconds: a score of them at once would open a connection each, and delay requests every minute. */
function stagger() {
  let turn: Promise<unknown> = Promise.resolve()
  return (run: () => Promise<void>): Promise<void> => {
    const done = turn.then(run)
    turn = Promise.race([done.catch(() => {}), turn.then(() => pause(STAGGER_MS, undefined, { ref: false }))])
    return done
  }
}

async function runJob(platform: Platform, job: Job): Promise<void> {
  const startedAt = performance.now()
  const elapsed = () => Math.round(performance.now() - startedAt)
  await recordJobStart(platform, job)
  try {
    await job.run(platform)
    platform.log.debug({ job: job.name, ms: elapsed() }, 'job')
    await recordJobEnd(platform, job, elapsed(), null)
  } catch (err) {
    platform.log.error({ err, job: job.name }, 'job failed')
    await recordJobEnd(platform, job, elapsed(), err).catch(() => {})
    throw err
  }
}

/** Records the last run of each job for operators: the queue deletes its own entries after some days. */
async function recordJobStart({ sql, now }: Platform, { name, cron }: Job): Promise<void> {
  await sql`
    insert into job_runs (name, cron, started_at) values (${name}, ${cron}, ${now()})
    on conflict (name) do update set cron = excluded.cron, started_at = excluded.started_at`
}

async function recordJobEnd({ sql, now }: Platform, { name }: Job, ms: number, error: unknown): Promise<void> {
  const at = now()
  const errorName = error instanceof Error ? ((error as { code?: string }).code ?? error.name) : error && 'Error'
  await sql`
    update job_runs set finished_at = ${at}, ms = ${ms}, error = ${errorName ? String(errorName).slice(0, 60) : null},
      failed_at = ${error ? at : sql`failed_at`}, failures = ${error ? sql`failures + 1` : 0}
    where name = ${name}`
}
