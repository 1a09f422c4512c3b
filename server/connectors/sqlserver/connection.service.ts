import { on, once } from 'node:events'
import type { Connection, Request } from 'tedious'
import { collectRows } from '../counted-rows.service.ts'
import { SOURCE_BATCH, SourceFault, type SourceProblem, type SourceSettings } from '../data-source.types.ts'
import { isTlsError, openSourceSocket, tlsOptions } from '../source-socket.service.ts'

const DEFAULT_PORT = 1433

/** By SQL Server's error number. */
const NUMBERS: Readonly<Record<number, SourceProblem>> = {
  207: 'no-column',
  208: 'no-table',
  229: 'no-rights',
  230: 'no-rights',
  916: 'no-rights',
  4060: 'no-database',
  18452: 'login-refused',
  18456: 'login-refused',
}

/** By the driver's error code. */
const CODES: readonly [RegExp, SourceProblem][] = [
  [/^ELOGIN$/, 'login-refused'],
  [/^EENCRYPT$/, 'tls'],
  [/^(ETIMEOUT|ETIMEDOUT)$/, 'timeout'],
  [/^(ESOCKET|ECONN|EPIPE|ECLOSE|EINVALIDSTATE)/, 'cut-off'],
]

type DriverError = { code?: string; number?: number; message?: string; cause?: unknown }

/** Converts an error to the faults that all sources share. */
export function connectionError(error: unknown): SourceFault {
  if (error instanceof SourceFault) return error
  const { code = '', number = 0, message = '', cause } = error as DriverError
  if (isTlsError(code) || isTlsError((cause as DriverError | undefined)?.code ?? ''))
    return new SourceFault('tls', message)
  // A missing database is reported as a failed login, and only in the message.
  if (/cannot open database/i.test(message)) return new SourceFault('no-database', message)
  const problem = NUMBERS[number] ?? CODES.find(([pattern]) => pattern.test(code))?.[1] ?? 'failed'
  return new SourceFault(problem, message)
}

/** Values of `@name` in a statement, as text. */
export type Parameters = Readonly<Record<string, string>>

type SqlServerConnection = {
  isEncrypted: boolean
  ask(text: string, parameters?: Parameters): Promise<string[][]>
  /** Rows in batches, empty for missing values. */
  stream(text: string, parameters?: Parameters): AsyncGenerator<string[][]>
  close(): Promise<void>
}

/** For a whole read, which is one statement here. */
const STATEMENT_FACTOR = 10

/**
 * A session in one snapshot if the database allows that. SQL Server has no read-only transactions: only the user's permissions prevent
 * writing. @throws SourceFault.
 */
export async function openConnection(given: SourceSettings): Promise<SqlServerConnection> {
  const settings = { ...given, port: given.port || DEFAULT_PORT }
  const socket = await openSourceSocket(settings)
  const tls = tlsOptions(settings)
  // Loaded on demand: most installations read no SQL Server.
  const tedious = await import('tedious')
  const connection = new tedious.Connection({
    server: settings.host.replace(/^\[|\]$/g, ''),
    authentication: { type: 'default', options: { userName: settings.user, password: settings.password } },
    options: {
      // Also if the server redirects to another one, which nobody configured.
      connector: async () => socket,
      port: settings.port,
      database: settings.database,
      encrypt: tls !== null,
      trustServerCertificate: settings.tls === 'require',
      ...(tls && { cryptoCredentialsDetails: { minVersion: 'TLSv1.2', ...(settings.ca && { ca: settings.ca }) } }),
      appName: 'Gatehouse directory sync',
      connectTimeout: Math.min(10, settings.timeoutSeconds) * 1000,
      requestTimeout: settings.timeoutSeconds * STATEMENT_FACTOR * 1000,
      maxRetriesOnTransientErrors: 0,
      useColumnNames: false,
    },
  })
  // Without a listener an error between two statements would end the process.
  connection.on('error', () => {})
  const close = async () => {
    connection.close()
    socket.destroy()
  }
  const session = { isEncrypted: tls !== null, close, ...sessionOf(connection, tedious) }
  try {
    await connected(connection)
    const [state] = await session.ask('select snapshot_isolation_state from sys.databases where name = db_name()')
    const { SNAPSHOT, READ_COMMITTED } = tedious.ISOLATION_LEVEL
    await begun(connection, state?.[0] === '1' ? SNAPSHOT : READ_COMMITTED)
    return session
  } catch (error) {
    await close()
    throw connectionError(error)
  }
}

function connected(connection: Connection): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.connect((error) => (error ? reject(error) : resolve()))
  })
}

function begun(connection: Connection, level: number | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.beginTransaction((error) => (error ? reject(error) : resolve()), '', level)
  })
}

type Tedious = typeof import('tedious')

function sessionOf(connection: Connection, { Request, TYPES }: Tedious) {
  async function* stream(text: string, parameters: Parameters = {}): AsyncGenerator<string[][]> {
    let failure: Error | null | undefined
    const request = new Request(text, (error) => {
      failure = error
    })
    for (const [name, value] of Object.entries(parameters)) request.addParameter(name, TYPES.NVarChar, value)
    const rows = rowsOf(request)
    connection.execSql(request)
    yield* rows
    if (failure) throw connectionError(failure)
  }
  const ask = (text: string, parameters: Parameters = {}) => collectRows(stream(text, parameters))
  return { stream, ask }
}

/** Rows in batches; a slow consumer makes the server wait. It listens from the call on, because a closed connection fails at once. */
function rowsOf(request: Request): AsyncGenerator<string[][]> {
  const rows = on(request, 'row', { close: ['requestCompleted'], highWaterMark: SOURCE_BATCH, lowWaterMark: 1 })
  let isOver = false
  request.once('requestCompleted', () => {
    isOver = true
  })
  async function* batches(): AsyncGenerator<string[][]> {
    let batch: string[][] = []
    try {
      for await (const [columns] of rows as AsyncIterable<[{ value: unknown }[]]>) {
        batch.push(columns.map(({ value }) => (value === null ? '' : String(value))))
        if (batch.length < SOURCE_BATCH) continue
        yield batch
        batch = []
      }
      if (batch.length > 0) yield batch
    } finally {
      // The rest is not wanted: the connection takes no further statement until it is cancelled.
      if (!isOver) {
        const ended = once(request, 'requestCompleted')
        request.cancel()
        await ended
      }
    }
  }
  return batches()
}
