import { join } from 'node:path'
import { createCache } from './platform/cache.ts'
import { type Config, ConfigurationError } from './platform/config.ts'
import { createSecretBox } from './platform/crypto.ts'
import { openDatabase, reachDatabase } from './platform/db.ts'
import { ownSecret, startEmbeddedDatabase } from './platform/embedded-database.ts'
import type { Stop } from './platform/lifecycle.ts'
import { createLog } from './platform/log.ts'
import { createMetrics } from './platform/metrics.ts'
import { migrate } from './platform/migrate.ts'
import { createOutgoingFetch } from './platform/outgoing.ts'
import { ensureRecordPartitions } from './platform/partitions.ts'
import type { Platform } from './platform/platform.ts'
import { createPostgresState } from './platform/state.postgres.ts'
import type { State } from './platform/state.ts'
import { translate } from './platform/translate.ts'

/**
 * Opens everything a node stands on: database (the embedded one if none is named), migrated schema, keys, state, cache.
 * What was opened is added to `opened`, also when a later step fails.
 * @throws ConfigurationError when something is missing, unsuitable or can't be reached.
 */
export async function openPlatform(given: Config, opened: Stop[], say: (line: string) => void): Promise<Platform> {
  const config = given.databaseUrl ? given : await withEmbeddedDatabase(given, opened, say)
  const url = config.databaseUrl ?? ''
  const log = createLog(config.logLevel)
  const sql = openDatabase(url, { onNotice: (message) => log.debug({ message }, 'database notice') })
  opened.push(() => sql.end({ timeout: 3 }))
  await reachDatabase(sql, url)
  const now = () => new Date()
  const applied = await migrate(sql, now())
  if (applied.length > 0) log.info({ applied }, 'database migrated')
  await ensureRecordPartitions(sql, now())
  const state = config.redisUrl
    ? (await import('./platform/state.redis.ts')).createRedisState(config.redisUrl, (err) =>
        log.error({ err }, 'redis'),
      )
    : createPostgresState(sql, now)
  opened.push(() => state.close())
  if (config.redisUrl) await reachState(state)
  const cache = await createCache(sql)
  opened.push(() => cache.close())
  const draining = { yes: false }
  const secrets = createSecretBox([config.secretKey ?? ''])
  return {
    config,
    sql,
    state,
    cache,
    log,
    translate,
    now,
    secrets,
    fetch: createOutgoingFetch(),
    draining,
    metrics: createMetrics(draining),
  }
}

async function reachState(state: State): Promise<void> {
  try {
    await state.peek('start', '')
  } catch (error) {
    const { message, cause } = error as Error
    const reason = cause instanceof Error ? cause.message : message
    throw new ConfigurationError(`the server that REDIS_URL names can't be used: ${reason}`)
  }
}

async function withEmbeddedDatabase(config: Config, opened: Stop[], say: (line: string) => void): Promise<Config> {
  const starting = startEmbeddedDatabase({ dataDir: config.dataDir, say })
  // Noted before it is up, so that a signal meanwhile leaves no server behind.
  opened.push(async () => (await starting).stop())
  const database = await starting
  const secretKey = config.secretKey ?? ownSecret(join(config.dataDir, 'secret-key'))
  return { ...config, databaseUrl: database.url, secretKey }
}
