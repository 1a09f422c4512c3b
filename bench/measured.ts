import { Pool } from 'undici'
import { createVisitor, enterPortal, logIn, type Visitor } from './client.ts'
import { processTree, residentMbOf, usageOf } from './processes.ts'
import { ADMINISTRATOR, type Site, startSite } from './site.ts'

export const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** Runs a step and prints its seconds, CPU of the server with its database, CPU of the server, and its memory above idle. */
async function measured(pid: number, idleMb: number, name: string, run: () => Promise<unknown>): Promise<void> {
  const from = performance.now()
  const cpuBefore = usageOf(processTree(pid)).cpuMs
  const ownBefore = usageOf([pid]).cpuMs
  let most = 0
  let over = false
  const watched = (async () => {
    while (!over) {
      most = Math.max(most, residentMbOf(pid))
      await pause(200)
    }
  })()
  await run()
  over = true
  await watched
  const seconds = (performance.now() - from) / 1000
  const cpu = (usageOf(processTree(pid)).cpuMs - cpuBefore) / 1000
  const own = (usageOf([pid]).cpuMs - ownBefore) / 1000
  console.log(
    `${name.padEnd(24)} ${seconds.toFixed(1).padStart(8)} ${cpu.toFixed(1).padStart(8)} ${own.toFixed(1).padStart(8)} ${(most - idleMb).toFixed(0).padStart(8)}`,
  )
}

type MeasuredSite = {
  site: Site
  /** In the back office. */
  visitor: Visitor
  /** Runs a step and prints its cost. */
  step(name: string, run: () => Promise<unknown>): Promise<void>
}

/**
 * Starts a site with an administrator in its back office, prints the header of the figures, and stops it afterwards.
 */
export async function withMeasuredSite(
  database: string | undefined,
  work: (site: MeasuredSite) => Promise<void>,
): Promise<void> {
  const site = await startSite(database)
  const pool = new Pool(site.url, { connections: 1, headersTimeout: 600_000, bodyTimeout: 600_000 })
  const pid = site.pid ?? 0
  try {
    const visitor = createVisitor(pool, site.url, ADMINISTRATOR)
    await logIn(visitor)
    await enterPortal(visitor, site.url)
    await pause(1000)
    const idle = residentMbOf(pid)
    console.log(`                          seconds    CPU s  of node  MB above ${idle.toFixed(0)}`)
    await work({ site, visitor, step: (name, run) => measured(pid, idle, name, run) })
  } finally {
    await pool.close()
    await site.stop()
  }
}
