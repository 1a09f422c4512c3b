import { Pool } from 'undici'
import { createVisitor, logIn } from './client.ts'
import { percentile } from './measure.ts'
import type { Site } from './site.ts'

export type LoginTimes = {
  asked: number
  failed: number
  p50: number
  p99: number
  times: number[]
  why: string | null
}

/** Logs in so many people a second by password, however long each takes, until it is stopped. */
export function startBackgroundLogins(site: Site, perSecond: number): () => Promise<LoginTimes> {
  const pool = new Pool(site.url, { connections: 20 })
  const times: number[] = []
  const started: Promise<void>[] = []
  let failed = 0
  let why: string | null = null
  const one = async (account: string) => {
    const from = performance.now()
    await logIn(createVisitor(pool, site.url, account)).then(
      () => times.push(performance.now() - from),
      (error: unknown) => {
        failed += 1
        why ??= String(error)
      },
    )
  }
  const clock = setInterval(() => {
    const account = site.accounts[started.length % site.accounts.length]
    if (account !== undefined) started.push(one(account))
  }, 1000 / perSecond)
  return async () => {
    clearInterval(clock)
    await Promise.all(started)
    await pool.close()
    times.sort((a, b) => a - b)
    return { times, why, asked: started.length, failed, p50: percentile(times, 0.5), p99: percentile(times, 0.99) }
  }
}
