import { flushCompileCache } from 'node:module'
import type { FastifyInstance } from 'fastify'
import { createApp } from './app.ts'
import { startTasks } from './features/background-tasks/index.ts'
import { startLogStreams } from './features/log-streams/index.ts'
import { watchUnconfirmedChanges } from './features/unconfirmed-changes/index.ts'
import { loadInitialData, startDemo } from './initial-data.ts'
import { jobs } from './jobs.ts'
import { openPlatform } from './open-platform.ts'
import { checkArchiveFolder, ensureArchiveFolder } from './platform/archive-folder.ts'
import { type Config, readConfig } from './platform/config.ts'
import { releaseMemoryWhenIdle } from './platform/idle-memory.ts'
import { startJobs } from './platform/jobs.ts'
import { type CloseFunction, describeStartError, stopOnSignal, stopWhileStarting } from './platform/lifecycle.ts'
import type { Platform } from './platform/platform.ts'
import { dropRootPrivileges } from './platform/root-privileges.ts'
import { RESTORERS } from './restorers.ts'
import { tasks } from './tasks.ts'

const writeLine = (line: string) => process.stdout.write(`${line}\n`)

/** What runs until it is stopped. */
export type RunningNode = { platform: Platform; app: FastifyInstance }

/**
 * Starts a node: database, initial data, the HTTP server, then what nobody waits for. What was opened is added to `opened`, also if a later
 * step fails.
 */
export async function startNode(
  config: Config,
  opened: CloseFunction[],
  printLine: (line: string) => void,
): Promise<RunningNode> {
  const { platform, background } = await openPlatform(config, opened, printLine)
  const greeting = await loadInitialData(background)
  const app = await createApp(platform)
  opened.push(() => app.close())
  const { port, host, publicUrl } = platform.config
  await app.listen({ port, host })
  printLine(`Gatehouse is listening on ${host} port ${port}: open ${publicUrl}/auth_web/`)
  for (const line of [...greeting, ...(await startDemo(platform, opened))]) printLine(line)
  // Only now, because nobody waits for jobs.
  const runningJobs = startJobs(background, jobs)
  opened.push(() => runningJobs.stop())
  const runningTasks = await startTasks(platform, tasks, background)
  opened.push(() => runningTasks.stop())
  const streams = await startLogStreams(background)
  opened.push(() => streams.stop())
  const watch = await watchUnconfirmedChanges(platform, RESTORERS)
  opened.push(() => watch.stop())
  return { platform, app }
}

/** Runs a node until SIGTERM or SIGINT. A start that can't succeed ends with one line on stderr and exit code 1. */
export async function runUntilSignal(env: Record<string, string | undefined>): Promise<void> {
  // A full disk or a reader that left must not end the process; see `createLogOutput`.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const opened: CloseFunction[] = []
  const started = stopWhileStarting(opened)
  try {
    const config = readConfig(env)
    await checkArchiveFolder(config)
    const { platform, app } = await startNode(config, opened, writeLine)
    started()
    stopOnSignal(platform, app, opened)
    flushCompileCache()
    const notice = dropRootPrivileges(platform.config.runAs)
    if (notice) writeLine(notice)
    const code = await ensureArchiveFolder(config)
    if (code) platform.log.warn({ code }, 'the archive folder can not be written: no month of records is deleted')
    releaseMemoryWhenIdle()
  } catch (error) {
    process.stderr.write(`Gatehouse can't start: ${describeStartError(error)}\n`)
    for (const close of opened.reverse()) await close().catch(() => {})
    process.exit(1)
  }
}
