import type { FastifyInstance } from 'fastify'
import { inject, onTestFinished } from 'vitest'
import { createApp } from '../app.ts'
import { createCache } from '../platform/cache.ts'
import { type Config, type PasswordHashCost, readConfig } from '../platform/config.ts'
import { createSecretBox } from '../platform/crypto.ts'
import { type Db, openDatabase, readDatabaseClock } from '../platform/db.ts'
import { createLog } from '../platform/log.ts'
import { createMetrics } from '../platform/metrics.ts'
import { createOutgoingFetch } from '../platform/outgoing-fetch.ts'
import type { Platform } from '../platform/platform.ts'
import { createPostgresState } from '../platform/state.postgres.ts'
import { createWording } from '../platform/wording.ts'
import { createTestDatabase, type KeptPool, type TestDatabase } from './database.ts'
import { freePort } from './free-port.ts'
import { reuseSigningKeys } from './signing-keys.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Cheap unless time is measured. */
    passwordHashCost: PasswordHashCost
  }
}

export type TestServer = {
  app: FastifyInstance
  platform: Platform
  /** Where it listens; the same as `config.publicUrl`. */
  url: string
  /** Moves the server's clock forward. */
  advance(seconds: number): void
  /** Another node with the same database and clock, or one that is so many seconds ahead. */
  secondNode(aheadSeconds?: number): Promise<TestServer>
  close(): Promise<void>
}

type Options = {
  env?: Record<string, string>
  /** The host name for browsers; passkeys need `localhost`. */
  host?: string
  fetch?: typeof fetch
  /** Receives every log line, at the most verbose level. */
  onLog?: (line: string) => void
  /** The database URL for the server, such as a proxy's, from that of the test's own database. */
  databaseUrl?: (own: string) => Promise<string>
  /** Receives every statement that the server sends to its database. */
  onStatement?: (text: string, parameters: readonly unknown[]) => void
}

/**
 * A real server on a real port and a database of its own, closed after the test (or with `keep`, by the caller). Time starts at the real
 * time and moves only with `advance`.
 */
export async function startTestServer(options: Options = {}): Promise<TestServer> {
  const database = await createTestDatabase()
  const openPool = await poolsOf(database, options)
  let skew = 0
  const clock = {
    now: () => new Date(Date.now() + skew),
    sharedNow: async (db: Db) => new Date((await readDatabaseClock(db)).getTime() + skew),
    advance: (seconds: number) => {
      skew += seconds * 1000
    },
  }
  const nodes: TestServer[] = []
  const start = async (aheadSeconds = 0): Promise<TestServer> => {
    const own = { ...clock, now: () => new Date(clock.now().getTime() + aheadSeconds * 1000) }
    const node = await openNode(openPool(), own, options, start)
    nodes.push(node)
    return node
  }
  const first = await start()
  const closeNode = first.close
  first.close = async () => {
    for (const node of nodes) await (node === first ? closeNode() : node.close())
    await database.drop()
  }
  return first
}

/** `startTestServer` for one test. */
export async function testServer(options: Options = {}): Promise<TestServer> {
  const server = await startTestServer(options)
  onTestFinished(() => server.close())
  return server
}

type NodePool = KeptPool & { url: string }

/** Opens the connections of a node: those kept with the database, or new ones for a test that watches or disturbs them. */
async function poolsOf(database: TestDatabase, options: Options): Promise<() => NodePool> {
  const { databaseUrl, onStatement } = options
  const url = (await databaseUrl?.(database.url)) ?? database.url
  if (!databaseUrl && !onStatement) return () => ({ ...database.pool(), url })
  // On a busy machine a connection takes seconds; a test with its own database URL needs the real limit.
  const patience = databaseUrl ? {} : { connectTimeoutSeconds: 20 }
  return () => {
    const sql = openDatabase(url, { max: 6, onStatement, ...patience })
    return { sql, url, close: () => sql.end({ timeout: 1 }) }
  }
}

type TestClock = Pick<Platform, 'now' | 'sharedNow'> & { advance(seconds: number): void }

async function openNode(
  { sql, url, close: closePool }: NodePool,
  clock: TestClock,
  options: Options,
  secondNode: TestServer['secondNode'],
): Promise<TestServer> {
  const port = await freePort()
  const environment = {
    PORT: String(port),
    DATABASE_URL: url,
    SECRET_KEY: 'a test key of more than thirty-two characters',
    PUBLIC_URL: `http://${options.host ?? '127.0.0.1'}:${port}`,
    LOG_LEVEL: process.env['TEST_LOG'] ?? 'silent',
    REDIS_URL: process.env['REDIS_URL'] ?? '',
    ...options.env,
  }
  const config: Config = { ...readConfig(environment), passwordHashCost: inject('passwordHashCost') }
  const { onLog } = options
  const log = onLog ? createLog('trace', { write: onLog }) : createLog(config.logLevel)
  const state = config.redisUrl
    ? (await import('../platform/state.redis.ts')).createRedisState(config.redisUrl, clock.now, () => {})
    : createPostgresState(sql, clock.now)
  const cache = await createCache(sql)
  const wording = await createWording(sql, (err) => log.error({ err }, 'wording not read'))
  const draining = { isDraining: false }
  const platform: Platform = {
    config,
    sql,
    state,
    cache,
    log,
    translate: wording.translate,
    wording,
    now: clock.now,
    sharedNow: clock.sharedNow,
    secrets: createSecretBox([config.secretKey ?? '']),
    fetch: options.fetch ?? createOutgoingFetch(),
    draining,
    metrics: createMetrics(draining),
  }
  // With another key they could not be decrypted.
  if (!options.env?.['SECRET_KEY']) await reuseSigningKeys(platform)
  const app = await createApp(platform)
  await app.listen({ port, host: '127.0.0.1' })
  const close = async () => {
    await app.close()
    await wording.close()
    await cache.close()
    await state.close()
    await closePool()
  }
  return { app, platform, url: config.publicUrl, advance: clock.advance, secondNode, close }
}
