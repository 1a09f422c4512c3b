import { flushCompileCache } from 'node:module'
import { createApp } from './app.ts'
import { startTasks } from './features/background-tasks/index.ts'
import { loadFirstContent, startDemo } from './first-content.ts'
import { jobs } from './jobs.ts'
import { openPlatform } from './open-platform.ts'
import { readConfig } from './platform/config.ts'
import { giveBackMemoryWhenIdle } from './platform/idle-memory.ts'
import { startJobs } from './platform/jobs.ts'
import { type Stop, startProblem, stopOnSignal, stopWhileStarting } from './platform/lifecycle.ts'
import { tasks } from './tasks.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

/** Runs a node until SIGTERM or SIGINT. A start that can't succeed ends with one line on stderr and exit code 1. */
export async function runUntilSignal(env: Record<string, string | undefined>): Promise<void> {
  const opened: Stop[] = []
  const started = stopWhileStarting(opened)
  try {
    const platform = await openPlatform(readConfig(env), opened, say)
    const greeting = await loadFirstContent(platform)
    const app = await createApp(platform)
    opened.push(() => app.close())
    const { port, host, publicUrl } = platform.config
    await app.listen({ port, host })
    say(`Gatehouse is listening on ${host} port ${port}: open ${publicUrl}/auth_web/`)
    for (const line of [...greeting, ...(await startDemo(platform, opened))]) say(line)
    // Only now, because nobody waits for timed work.
    const running = startJobs(platform, jobs)
    opened.push(() => running.stop())
    const work = await startTasks(platform, tasks)
    opened.push(() => work.stop())
    started()
    stopOnSignal(platform, app, opened)
    flushCompileCache()
    giveBackMemoryWhenIdle()
  } catch (error) {
    process.stderr.write(`Gatehouse can't start: ${startProblem(error)}\n`)
    for (const close of opened.reverse()) await close().catch(() => {})
    process.exit(1)
  }
}
