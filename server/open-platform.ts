import { join } from 'node:path'
import { createCache } from './platform/cache.ts'
import { type Config, ConfigurationError } from './platform/config.ts'
import { createSecretBox } from './platform/crypto.ts'
import { openDatabase, readDatabaseClock, waitForDatabase } from './platform/db.ts'
import { dataFolderOf } from './platform/embedded-database.location.ts'
import { loadOrCreateSecret, startEmbeddedDatabase } from './platform/embedded-database.ts'
import type { CloseFunction } from './platform/lifecycle.ts'
import { batchLines, createLog, createLogOutput } from './platform/log.ts'
import { createMetrics } from './platform/metrics.ts'
import { migrate } from './platform/migrate.ts'
import { createOutgoingFetch } from './platform/outgoing-fetch.ts'
import { ensureRecordPartitions } from './platform/partitions.ts'
import type { Platform } from './platform/platform.ts'
import { createPostgresState } from './platform/state.postgres.ts'
import type { EphemeralState } from './platform/state.ts'
import { createWording } from './platform/wording.ts'

/** Limit for a statement of a request; a proxy in front usually gives up after a minute. */
const MAX_REQUEST_STATEMENT_MS = 30_000
/** Connections for background work. */
const BACKGROUND_CONNECTIONS = 6
/** Each costs the database up to 10 MB once it has seen all statements; the pool reuses the most recent one, so the others stay idle. */
const IDLE_CONNECTION_SECONDS = 15
/** Shorter, because tasks that are due at the same moment open several at once; longer than the interval in which queues poll. */
const IDLE_BACKGROUND_CONNECTION_SECONDS = 6

export type OpenedPlatform = {
  /** For requests: no statement may run longer than a client would wait. */
  platform: Platform
  /** For the start, commands, jobs and tasks: on separate connections, where a statement may take hours. */
  background: Platform
}

/**
 * Opens everything a node needs: database (the embedded one if none is named), migrated schema, keys, state, cache. What was opened is
 * added to `opened`, also if a later step fails.
 * @throws ConfigurationError if something is missing, unsuitable or can't be reached.
 */
export async function openPlatform(
  inputConfig: Config,
  opened: CloseFunction[],
  printLine: (line: string) => void,
): Promise<OpenedPlatform> {
  const config = inputConfig.databaseUrl ? inputConfig : await withEmbeddedDatabase(inputConfig, opened, printLine)
  const url = config.databaseUrl ?? ''
  const recreate = inputConfig.databaseUrl ? undefined : `remove the folder ${dataFolderOf(config.dataDir)}`
  const output = batchLines(createLogOutput(1))
  process.once('exit', output.flush)
  const log = createLog(config.logLevel, output)
  const listeners: Parameters<typeof openDatabase>[1] = {
    onNotice: (message) => log.debug({ message }, 'database notice'),
    onReplaced: (count, because) => log.warn({ count, because }, 'database connections replaced'),
    onWritesRefused: (code) =>
      code ? log.error({ code }, 'the database refuses writes') : log.info('the database takes writes'),
  }
  const sql = openDatabase(url, {
    ...listeners,
    maxStatementMs: MAX_REQUEST_STATEMENT_MS,
    idleSeconds: IDLE_CONNECTION_SECONDS,
  })
  opened.push(() => sql.end({ timeout: 3 }))
  const backgroundSql = openDatabase(url, {
    ...listeners,
    max: BACKGROUND_CONNECTIONS,
    idleSeconds: IDLE_BACKGROUND_CONNECTION_SECONDS,
  })
  // One connection waits for the notifications of both pools.
  backgroundSql.listen = sql.listen
  opened.push(() => backgroundSql.end({ timeout: 3 }))
  await waitForDatabase(backgroundSql, url)
  const now = () => new Date()
  const applied = await migrate(backgroundSql, now(), recreate)
  if (applied.length > 0) log.info({ applied }, 'database migrated')
  await ensureRecordPartitions(backgroundSql, now())
  const state = config.redisUrl
    ? (await import('./platform/state.redis.ts')).createRedisState(config.redisUrl, now, (err) =>
        log.error({ err }, 'redis'),
      )
    : createPostgresState(sql, now)
  opened.push(() => state.close())
  if (config.redisUrl) await reachState(state)
  const cache = await createCache(sql)
  opened.push(() => cache.close())
  const wording = await createWording(sql, (err) => log.error({ err }, 'wording not read'))
  opened.push(() => wording.close())
  const draining = { isDraining: false }
  const metrics = createMetrics(draining)
  metrics.counterFrom('gatehouse_log_lines_lost_total', 'Log lines that could not be written', output.lost)
  const platform: Platform = {
    config,
    sql,
    state,
    cache,
    log,
    translate: wording.translate,
    wording,
    now,
    sharedNow: readDatabaseClock,
    secrets: createSecretBox([config.secretKey ?? '']),
    fetch: createOutgoingFetch(),
    draining,
    metrics,
  }
  return { platform, background: { ...platform, sql: backgroundSql } }
}

async function reachState(state: EphemeralState): Promise<void> {
  try {
    await state.peek('start', '')
  } catch (error) {
    const { message, cause } = error as Error
    const reason = cause instanceof Error ? cause.message : message
    throw new ConfigurationError(`the server that REDIS_URL names can't be used: ${reason}`)
  }
}

async function withEmbeddedDatabase(
  config: Config,
  opened: CloseFunction[],
  printLine: (line: string) => void,
): Promise<Config> {
  const startup = startEmbeddedDatabase({ dataDir: config.dataDir, printLine })
  // Registered before it is up, so that a signal meanwhile leaves no server behind.
  opened.push(async () => (await startup).stop())
  const database = await startup
  const secretKey = config.secretKey ?? loadOrCreateSecret(join(config.dataDir, 'secret-key'))
  return { ...config, databaseUrl: database.url, secretKey, ...(database.runsAs && { runAs: database.runsAs }) }
}
