import type { Readable } from 'node:stream'
import type { Connection } from 'mysql2'
import { SOURCE_BATCH, SourceFault, type SourceProblem, type SourceSettings } from '../data-source.types.ts'
import { isTlsError, openSourceSocket, tlsOptions } from '../source-socket.service.ts'

const DEFAULT_PORT = 3306

/** Values in the order of the columns. */
export type Row = (string | number | null)[]

const PROBLEMS: readonly [RegExp, SourceProblem][] = [
  [/^(ER_ACCESS_DENIED_ERROR|ER_DBACCESS_DENIED_ERROR|ER_NOT_SUPPORTED_AUTH_MODE|AUTH_SWITCH)/, 'login-refused'],
  [/^ER_BAD_DB_ERROR/, 'no-database'],
  [/^(ER_NO_SUCH_TABLE|ER_VIEW_INVALID)/, 'no-table'],
  [/^ER_BAD_FIELD_ERROR/, 'no-column'],
  [/ACCESS_DENIED/, 'no-rights'],
  [/^(ER_STATEMENT_TIMEOUT|ER_QUERY_TIMEOUT|ETIMEDOUT|PROTOCOL_SEQUENCE_TIMEOUT)/, 'timeout'],
  [/^(ECONN|EPIPE|PROTOCOL_CONNECTION_LOST|ER_CONNECTION_KILLED|ER_SERVER_SHUTDOWN|ER_QUERY_INTERRUPTED)/, 'cut-off'],
]

/** Converts an error to the faults that all sources share. */
export function connectionError(error: unknown): SourceFault {
  if (error instanceof SourceFault) return error
  const { code = '', message = '' } = error as { code?: string; message?: string }
  if (isTlsError(code) || /secure connection/i.test(message)) return new SourceFault('tls', message)
  return new SourceFault(PROBLEMS.find(([pattern]) => pattern.test(code))?.[1] ?? 'failed', message)
}

type MysqlConnection = {
  isEncrypted: boolean
  ask(text: string, parameters?: string[]): Promise<Row[]>
  stream(text: string): Readable
  /** A value, quoted for the text of a statement. */
  escape(value: string): string
  close(): Promise<void>
}

/** A read-only session in one snapshot. @throws SourceFault. */
export async function openConnection(given: SourceSettings): Promise<MysqlConnection> {
  const settings = { ...given, port: given.port || DEFAULT_PORT }
  const stream = await openSourceSocket(settings)
  const tls = tlsOptions(settings)
  // Loaded on demand: most installations read no MySQL.
  const { createConnection } = await import('mysql2')
  const connection = createConnection({
    host: settings.host,
    port: settings.port,
    user: settings.user,
    password: settings.password,
    database: settings.database,
    stream: () => stream,
    charset: 'UTF8MB4_UNICODE_CI',
    rowsAsArray: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    dateStrings: true,
    disableEval: true,
    // Otherwise a server could request any file of this machine.
    flags: ['-LOCAL_FILES'],
    connectTimeout: 10_000,
    ...(tls && {
      ssl: {
        rejectUnauthorized: settings.tls === 'verify',
        verifyIdentity: settings.tls === 'verify',
        minVersion: 'TLSv1.2',
        ...(settings.ca && { ca: settings.ca }),
      },
    }),
  })
  const close = async () => {
    connection.destroy()
    stream.destroy()
  }
  let reading: Readable | null = null
  // The driver tells the connection that it is lost, but not whoever reads a stream from it. Between two statements nobody needs to know;
  // without a listener the process would end.
  connection.on('error', (error) => void reading?.destroy(error))
  const ask = askThrough(connection)
  try {
    await prepareSession(ask, settings.timeoutSeconds)
  } catch (error) {
    await close()
    throw connectionError(error)
  }
  return {
    isEncrypted: tls !== null,
    ask,
    stream(text) {
      reading = connection.query(text).stream({ highWaterMark: SOURCE_BATCH })
      return reading
    },
    escape: (value) => connection.escape(value),
    close,
  }
}

type Ask = MysqlConnection['ask']

const askThrough =
  (connection: Connection): Ask =>
  (text, parameters = []) =>
    new Promise((resolve, reject) => {
      connection.query(text, parameters, (error, rows) =>
        error ? reject(connectionError(error)) : resolve(rows as unknown as Row[]),
      )
    })

/** For a whole read, which is one statement here. */
const STATEMENT_FACTOR = 10

async function prepareSession(ask: Ask, timeoutSeconds: number): Promise<void> {
  const seconds = timeoutSeconds * STATEMENT_FACTOR
  // The first is MariaDB's, the second MySQL's.
  await ask(`set session max_statement_time = ${seconds}`).catch((error: SourceFault) => {
    if (error.problem !== 'failed') throw error
    return ask(`set session max_execution_time = ${seconds * 1000}`)
  })
  await ask('set session transaction isolation level repeatable read')
  await ask('start transaction with consistent snapshot, read only')
}
