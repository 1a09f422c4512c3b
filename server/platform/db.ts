import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import { ConfigurationError } from './config.ts'
import { type ConnectionGuard, guardConnections, type PatchedDatabase, type ReplaceReason } from './connection-guard.ts'

export type Database = postgres.Sql
export type Transaction = postgres.TransactionSql
/** What a store function takes: the pool, or the transaction it must stay inside. */
export type Db = postgres.Sql | postgres.TransactionSql
/** Part of a statement: a condition, a column, a subquery. */
export type SqlFragment = postgres.PendingQuery<postgres.Row[]>

type Options = {
  max?: number
  /** A statement that returns nothing for this long is cancelled with its session; absent: no limit. */
  maxStatementMs?: number
  /** Seconds after which an unused connection is closed; 0: never. */
  idleSeconds?: number
  /** Timeout of an attempt to connect, in seconds. */
  connectTimeoutSeconds?: number
  onNotice?: (message: string) => void
  /** Called when connections were dropped and will be opened again. */
  onReplaced?: (count: number, because: ReplaceReason) => void
  /** Called with the SQLSTATE when the server starts to refuse writes, with null when it accepts them again. */
  onWritesRefused?: (refused: string | null) => void
  /** Called with every statement and its parameters before it is sent. */
  onStatement?: ((text: string, parameters: readonly unknown[]) => void) | undefined
}

const guards = new WeakMap<Database, ConnectionGuard>()

/**
 * Opens the pool. Statements are prepared and pipelined per connection; nothing connects before the first query. Connections that die
 * silently are replaced (see `guardConnections`).
 * @param url may name a socket's folder, percent-encoded, as the host, as in libpq.
 */
export function openDatabase(url: string, options: Options = {}): Database {
  const noteError = ({ code }: { code: string }) => guard.reportError(code)
  const sql = openPool(url, options, { onerror: noteError })
  const guard = guardConnections(sql, {
    openProbe: () => openPool(url, { max: 1, idleSeconds: 10 }, { fetch_types: false, prepare: false }),
    maxStatementMs: options.maxStatementMs,
    onReplaced: options.onReplaced,
    onWritesRefused: options.onWritesRefused,
  })
  guards.set(sql, guard)
  const { end } = sql
  return Object.assign(sql, {
    // The guard runs until then: waiting for a dead connection would never end.
    end: async (how?: { timeout?: number }) => await end(how).finally(() => guard.stop()),
  })
}

/** For an object that stands for a pool: it is watched with it. */
export function shareGuard(pool: Database, other: Database): void {
  const guard = guards.get(pool)
  if (guard) guards.set(other, guard)
}

const STOP_LISTENING_MS = 1000

/** Ends a subscription; the server is told only if it is reachable. */
export async function stopListening({ unlisten }: postgres.ListenMeta): Promise<void> {
  const late = pause(STOP_LISTENING_MS, undefined, { ref: false })
  await Promise.race([unlisten().catch(() => {}), late])
}

/** Does the server refuse writes, because its disk is full or it is a standby? */
export const isRefusingWrites = (sql: Database): boolean => guards.get(sql)?.isRefusingWrites() ?? false

function openPool(url: string, options: Options, extraOptions: object): PatchedDatabase {
  const folder = socketFolderOf(url)
  const sql = postgres(url, {
    max: options.max ?? 10,
    // An unreachable database must be answered with 503 within two seconds, so one attempt gets less than that.
    connect_timeout: options.connectTimeoutSeconds ?? 1.5,
    // The default backs off for up to 20 s; service must be restored within five.
    backoff: () => 0.25,
    idle_timeout: options.idleSeconds ?? 0,
    max_lifetime: 60 * 60,
    // Seconds without traffic before the system probes the other side, and firewalls see that the connection is in use.
    keep_alive: 10,
    // Columns are named in snake case, what is read of them in camel case.
    transform: { column: { from: postgres.toCamel } },
    onnotice: (notice) => options.onNotice?.(String(notice['message'])),
    ...(options.onStatement && {
      debug: (_connection: number, text: string, parameters: unknown[]) => options.onStatement?.(text, parameters),
    }),
    connection: { application_name: 'gatehouse', TimeZone: 'UTC' },
    ...(folder && { path: `${folder}/.s.PGSQL.${new URL(url).port || 5432}` }),
    ...extraOptions,
  }) as PatchedDatabase
  if (!sql.listener) throw new Error('the package postgres is not repaired: run node tools/patch-postgres.mjs')
  return sql
}

function socketFolderOf(url: string): string | undefined {
  const host = URL.canParse(url) ? decodeURIComponent(new URL(url).hostname) : ''
  return host.startsWith('/') ? host : undefined
}

const VIOLATIONS = { unique: '23505', reference: '23503' } as const

/**
 * Is this a unique or foreign key violation of PostgreSQL? Then the transaction can only be rolled back.
 * @param constraint only this one
 */
export function isConstraintViolation(error: unknown, what: keyof typeof VIOLATIONS, constraint?: string): boolean {
  const { code, constraint_name: name } = error as { code?: string; constraint_name?: string }
  return code === VIOLATIONS[what] && (constraint === undefined || constraint === name)
}

/** Did a statement wait longer for a lock than `lock_timeout`? Then the transaction can only be rolled back. */
export const isLockTimeout = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: string }).code === '55P03'

const OUTAGE =
  /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|CONNECT_|CONNECTION_|08|53|57P0|57014|58030|25006)/

/**
 * Is this an error that is not the statement's fault, so that it may work later? The server is unreachable, starting or stopping, has no
 * disk space, memory or connection left, has become a standby, or somebody cancelled the statement.
 * @param syscall a missing socket, unlike a missing file, belongs to the embedded database.
 */
export const isOutage = (code: string, syscall?: string): boolean =>
  OUTAGE.test(code) || (code === 'ENOENT' && syscall === 'connect')

const RETRYABLE_CONNECT_ERROR =
  /^(ECONNREFUSED|ECONNRESET|ENOENT|EAI_AGAIN|CONNECT_TIMEOUT|CONNECTION_\w+|57P03|53300)$/

/**
 * Waits a few seconds for a database that is just starting.
 * @throws ConfigurationError with the server's address, never the password, if it can't be reached or rejects us.
 */
export async function waitForDatabase(sql: Database, url: string, timeoutMs = 4000): Promise<void> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    try {
      await sql`select 1`
      return
    } catch (error) {
      const { code = '', message } = error as { code?: string; message: string }
      if (!RETRYABLE_CONNECT_ERROR.test(code) || performance.now() > deadline) {
        const { host, pathname } = new URL(url)
        throw new ConfigurationError(`the database at ${decodeURIComponent(host)}${pathname} can't be used: ${message}`)
      }
      await pause(200)
    }
  }
}

/**
 * For a step that a crash of the database may take back, which the caller must notice, as its own position is then ahead: the transaction
 * doesn't wait until it is on the disk, so that those of requests rarely wait for it. Whatever is committed later is never kept without it.
 */
export const commitWithoutWaiting = (db: Db) => db`select set_config('synchronous_commit', 'off', true)`

/** The clock of the database, not the start of the transaction. */
export async function readDatabaseClock(db: Db): Promise<Date> {
  const [row] = await db<[{ at: Date }]>`select clock_timestamp() as at`
  return row.at
}
