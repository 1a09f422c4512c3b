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
  }
  const boss = new PgBoss(options)
  boss.on('error', (err) => platform.log.warn({ err }, 'timed work'))
  await boss.start()
  await platform.sql`delete from job_runs where name <> all(${jobs.map(({ name }) => name)})`
  for (const job of jobs) {
    await boss.createQueue(job.name, { policy: 'exclusive', retryLimit: 0 })
    await boss.schedule(job.name, job.cron)
    await boss.work(job.name, { pollingIntervalSeconds: 5 }, () => runJob(platform, job))
  }
  return boss
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
