import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import { ConfigurationError } from './config.ts'

export type Sql = postgres.Sql
export type Transaction = postgres.TransactionSql
/** What a store function takes: the pool, or the transaction it must stay inside. */
export type Db = postgres.Sql | postgres.TransactionSql

type Options = {
  max?: number
  onNotice?: (message: string) => void
  /** Takes every statement with its parameters, before it is sent. */
  onStatement?: ((text: string, parameters: readonly unknown[]) => void) | undefined
}

/**
 * Opens the pool. Statements are prepared and pipelined per connection; nothing connects before the first query.
 * @param url also with a socket's folder, percent-encoded, in the place of the host, as libpq takes it.
 */
export function openDatabase(url: string, options: Options = {}): Sql {
  const folder = socketFolderOf(url)
  return postgres(url, {
    max: options.max ?? 10,
    // An unreachable database must answer 503 within two seconds, so one attempt gets less than that.
    connect_timeout: 1.5,
    // The default backs off for up to 20 s; service must be back within five.
    backoff: () => 0.25,
    idle_timeout: 0,
    max_lifetime: 60 * 60,
    onnotice: (notice) => options.onNotice?.(String(notice['message'])),
    ...(options.onStatement && {
      debug: (_connection: number, text: string, parameters: unknown[]) => options.onStatement?.(text, parameters),
    }),
    connection: { application_name: 'gatehouse', TimeZone: 'UTC' },
    ...(folder && { path: `${folder}/.s.PGSQL.${new URL(url).port || 5432}` }),
  })
}

function socketFolderOf(url: string): string | undefined {
  const host = URL.canParse(url) ? decodeURIComponent(new URL(url).hostname) : ''
  return host.startsWith('/') ? host : undefined
}

const VIOLATIONS = { unique: '23505', reference: '23503' } as const

/**
 * Does PostgreSQL say that somebody else has a value that must be unique, or that a row is gone, or still there, to which another
 * refers? Then only a rollback is left of the transaction.
 * @param constraint only this one's
 */
export function violates(error: unknown, what: keyof typeof VIOLATIONS, constraint?: string): boolean {
  const { code, constraint_name: name } = error as { code?: string; constraint_name?: string }
  return code === VIOLATIONS[what] && (constraint === undefined || constraint === name)
}

const NOT_YET = /^(ECONNREFUSED|ECONNRESET|ENOENT|EAI_AGAIN|CONNECT_TIMEOUT|CONNECTION_\w+|57P03|53300)$/

/**
 * Waits a few seconds for a database that is just starting.
 * @throws ConfigurationError with the server's address, never the password, when it can't be reached or refuses us.
 */
export async function reachDatabase(sql: Sql, url: string, patienceMs = 4000): Promise<void> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    try {
      await sql`select 1`
      return
    } catch (error) {
      const { code = '', message } = error as { code?: string; message: string }
      if (!NOT_YET.test(code) || performance.now() > deadline) {
        const { host, pathname } = new URL(url)
        throw new ConfigurationError(`the database at ${decodeURIComponent(host)}${pathname} can't be used: ${message}`)
      }
      await pause(200)
    }
  }
}
