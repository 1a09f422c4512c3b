/**
 * Cost of the nightly dormancy run over the people of `npm run scale-data`:
 *   DATABASE_URL=postgres://… npm run bench:dormancy
 * Starts one node and requests two runs: one with everything to do, and one after it that must change nothing. Prints
 * seconds, CPU of the node (not of the database) and the results. It changes the database.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { confirmSweep, startSweep } from '../server/features/dormancy/index.ts'
import { openPlatform } from '../server/open-platform.ts'
import { readConfig } from '../server/platform/config.ts'
import type { CloseFunction } from '../server/platform/lifecycle.ts'
import { type Platform, systemContext } from '../server/platform/platform.ts'
import { freePort } from '../server/testing/free-port.ts'
import { processTree, usageOf } from './processes.ts'

type Run = { state: string; seconds: number; result: unknown }

const SECRET_KEY = 'the key of a measurement, of more than 32 characters'

/** Waits for the newest run to end. A run held because it concerns too many is confirmed, as an operator would. */
async function ended(platform: Platform): Promise<Run> {
  for (;;) {
    const [run] = await platform.sql<Run[]>`
      select state, extract(epoch from finished_at - started_at)::float as seconds, result from background_tasks
      where kind = 'dormancy.sweep' order by created_at desc, id desc limit 1`
    if (run?.state === 'done') return run
    if (run?.state === 'failed' && !(await confirmSweep(systemContext(platform)))) throw new Error(JSON.stringify(run))
    await pause(250)
  }
}

async function main(opened: CloseFunction[]): Promise<void> {
  const { DATABASE_URL, PATH } = process.env
  if (!DATABASE_URL) throw new Error('DATABASE_URL names a database of npm run scale-data')
  const port = String(await freePort())
  const env = { DATABASE_URL, PATH, PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}`, SECRET_KEY, DEMO: '0' }
  const main = fileURLToPath(new URL('../server/main.mjs', import.meta.url))
  const node = spawn(process.execPath, [main], {
    env: { ...env, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  opened.push(async () => {
    node.kill('SIGTERM')
    if (node.exitCode === null) await once(node, 'exit')
  })
  while (!(await fetch(`${env.PUBLIC_URL}/readyz`).catch(() => null))?.ok) await pause(100)
  const { background: platform } = await openPlatform(readConfig({ ...env, LOG_LEVEL: 'warn' }), opened, () => {})
  for (const name of ['first run', 'once more']) {
    const before = usageOf(processTree(node.pid ?? 0)).cpuMs
    await startSweep(platform)
    const { seconds, result } = await ended(platform)
    const cpu = (usageOf(processTree(node.pid ?? 0)).cpuMs - before) / 1000
    console.log(`${name}: ${seconds.toFixed(1)} s, ${cpu.toFixed(1)} s CPU of the node, ${JSON.stringify(result)}`)
  }
}

const opened: CloseFunction[] = []
try {
  await main(opened)
} finally {
  for (const close of opened.reverse()) await close()
}
