import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { ConfigurationError } from './config.ts'
import type { Platform } from './platform.ts'

/** Closes one opened resource; called in the reverse order of opening. */
export type CloseFunction = () => Promise<unknown>

/** A supervisor kills after 15 s at the earliest, so everything must be over before that. */
const MAX_SHUTDOWN_MS = 14_000
/** Requests still running then are aborted, so that the database can be closed properly. */
const MAX_DRAIN_MS = 8000
/** How long a load balancer that polls `/readyz` gets to notice that this node is stopping. */
const READINESS_GRACE_MS = 3000

/** Until the node listens, a signal ends it at once, but properly. @returns hands the signals over to `stopOnSignal` */
export function stopWhileStarting(opened: CloseFunction[]): () => void {
  const stop = async () => {
    for (const close of opened.splice(0).reverse()) await close().catch(() => {})
    process.exit(0)
  }
  const listener = () => void stop()
  process.on('SIGTERM', listener)
  process.on('SIGINT', listener)
  return () => {
    process.off('SIGTERM', listener)
    process.off('SIGINT', listener)
  }
}

/**
 * Ends the node at SIGTERM or SIGINT: not ready, no new connections, requests in flight are finished, then everything opened is closed and
 * the process exits with 0. A second signal ends it at once.
 */
export function stopOnSignal(platform: Platform, app: FastifyInstance, opened: CloseFunction[]): void {
  let stopping = false
  const stop = async (signal: string) => {
    if (stopping) process.exit(1)
    stopping = true
    platform.log.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), MAX_SHUTDOWN_MS).unref()
    platform.draining.isDraining = true
    if (isLoadBalanced(platform)) await pause(READINESS_GRACE_MS)
    const cut = setTimeout(() => app.server.closeAllConnections(), MAX_DRAIN_MS).unref()
    for (const close of opened.reverse()) await close().catch((err) => platform.log.error({ err }, 'while stopping'))
    clearTimeout(cut)
    platform.log.info('stopped')
    process.exit(0)
  }
  process.on('SIGTERM', (signal) => void stop(signal))
  process.on('SIGINT', (signal) => void stop(signal))
  process.on('unhandledRejection', (err) => platform.log.error({ err }, 'unhandled rejection'))
  process.on('uncaughtException', (err) => {
    platform.log.fatal({ err }, 'uncaught exception')
    process.exitCode = 1
    void stop('uncaughtException').finally(() => process.exit(1))
  })
}

const isLoadBalanced = ({ draining: { lastReadinessCheckAt } }: Platform) =>
  lastReadinessCheckAt !== undefined && performance.now() - lastReadinessCheckAt < 60_000

const LISTEN_PROBLEMS: Record<string, string> = {
  EADDRINUSE: 'PORT is taken by another program',
  EACCES: 'PORT may not be used by this user',
  EADDRNOTAVAIL: 'HOST is not an address of this machine',
  ENOTFOUND: 'HOST is not an address of this machine',
}

/** The one line an operator gets for a failed start; with the stack only for an unexpected error. */
export function describeStartError(error: unknown): string {
  if (error instanceof ConfigurationError) return error.message
  const { code = '', syscall, path, stack, message } = error as NodeJS.ErrnoException
  if ((syscall === 'listen' || syscall === 'getaddrinfo') && LISTEN_PROBLEMS[code])
    return `${LISTEN_PROBLEMS[code]} (${message})`
  if (path && /^(EACCES|EPERM|EROFS|ENOSPC|ENOTDIR|ENOENT|EEXIST)$/.test(code))
    return `DATA_DIR can't be used: ${message}`
  return stack ?? String(error)
}
