import { onTestFinished } from 'vitest'
import { startTasks, type Task } from '../features/background-tasks/index.ts'
import { until } from './process.ts'
import type { TestServer } from './server.ts'

/** Runs background tasks as a node does, until the test is done. */
export async function runTasks(server: TestServer, tasks: readonly Task[]): Promise<{ stop(): Promise<void> }> {
  const running = await startTasks(server.platform, tasks)
  let stopped: Promise<void> | null = null
  const stop = () => (stopped ??= running.stop())
  onTestFinished(stop)
  return { stop }
}

/** Waits until a task has ended, in whatever way. @returns its row */
export async function taskEnd(server: TestServer, id: string, patienceMs = 20_000) {
  const read = async () =>
    (
      await server.platform.sql<
        { state: string; done: number; total: number; result: unknown; error: string | null }[]
      >`select state, done, total, result, error from background_tasks where id = ${id}`
    )[0]
  await until(async () => ['done', 'failed', 'cancelled'].includes((await read())?.state ?? ''), patienceMs)
  return await read()
}
