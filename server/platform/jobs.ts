import type { PgBoss } from 'pg-boss'
import type { Platform } from './platform.ts'

/** Timed work of the whole cluster: whichever node comes first runs it, the others don't. */
export type Job = {
  /** `noun.verb`. */
  name: string
  /** Five fields, UTC; a minute is the finest grain. */
  cron: string
  /** Must bear being cut off and run again. */
  run(platform: Platform): Promise<void>
}

export const defineJob = (job: Job): Job => job

export type RunningJobs = {
  /** Asks for one run as soon as possible, whatever the timetable says. */
  runSoon(name: string): Promise<void>
  /** Lets what runs now finish. */
  stop(): Promise<void>
}

const RETRY_MS = 5000

/**
 * Starts the timetable. It never fails the caller: as long as the database is away it tries again, and an error of a job is
 * logged and the job run again at its next time.
 */
export function startJobs(platform: Platform, jobs: readonly Job[]): RunningJobs {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let boss: Promise<PgBoss | null> = Promise.resolve(null)
  const start = async (): Promise<PgBoss | null> => {
    try {
      return await open(platform, jobs)
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

async function open(platform: Platform, jobs: readonly Job[]): Promise<PgBoss> {
  // Loaded here, because a start that listens first should not wait for it.
  const { PgBoss } = await import('pg-boss')
  const boss = new PgBoss({
    connectionString: platform.config.databaseUrl ?? '',
    application_name: 'gatehouse jobs',
    max: 2,
  })
  boss.on('error', (err) => platform.log.warn({ err }, 'timed work'))
  await boss.start()
  for (const job of jobs) {
    await boss.createQueue(job.name, { policy: 'exclusive', retryLimit: 0 })
    await boss.schedule(job.name, job.cron)
    await boss.work(job.name, { pollingIntervalSeconds: 5 }, () => runOne(platform, job))
  }
  return boss
}

async function runOne(platform: Platform, job: Job): Promise<void> {
  const began = performance.now()
  try {
    await job.run(platform)
    platform.log.debug({ job: job.name, ms: Math.round(performance.now() - began) }, 'job')
  } catch (err) {
    platform.log.error({ err, job: job.name }, 'job failed')
    throw err
  }
}
