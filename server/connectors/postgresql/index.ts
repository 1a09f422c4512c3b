import postgres from 'postgres'
import { expectRows } from '../counted-rows.service.ts'
import {
  MAX_SOURCE_VALUE,
  type OpenSource,
  SOURCE_BATCH,
  SourceFault,
  type SourceProblem,
  type SourceSettings,
  splitTable,
} from '../data-source.types.ts'
import { isTlsError, openSourceSocket, tlsOptions } from '../source-socket.service.ts'

const DEFAULT_PORT = 5432

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`
const quoteTable = (table: string): string => {
  const { schema, name } = splitTable(table)
  return schema === null ? quote(name) : `${quote(schema)}.${quote(name)}`
}

const pick = (columns: readonly string[]): string =>
  columns.map((name) => `left(${quote(name)}::text, ${MAX_SOURCE_VALUE})`).join(', ')

const PROBLEMS: readonly [RegExp, SourceProblem][] = [
  [/^28/, 'login-refused'],
  [/^3D000/, 'no-database'],
  [/^(42P01|3F000)/, 'no-table'],
  [/^42703/, 'no-column'],
  [/^42501/, 'no-rights'],
  [/^(57014|ETIMEDOUT|CONNECT_TIMEOUT)/, 'timeout'],
  [/^(ECONN|EPIPE|CONNECTION_|57P|08)/, 'cut-off'],
]

function toFault(error: unknown): SourceFault {
  if (error instanceof SourceFault) return error
  const { code = '', message = '' } = error as { code?: string; message?: string }
  if (isTlsError(code) || /SSL/.test(message)) return new SourceFault('tls', message)
  return new SourceFault(PROBLEMS.find(([pattern]) => pattern.test(code))?.[1] ?? 'failed', message)
}

/** Reads a PostgreSQL database: one session, one snapshot, read-only enforced by the server. @throws SourceFault. */
export async function openPostgresql(given: SourceSettings): Promise<OpenSource> {
  const settings = { ...given, port: given.port || DEFAULT_PORT }
  // Opened by us first: the driver doesn't report why nobody answers.
  const first = await openSourceSocket(settings)
  const tls = tlsOptions(settings)
  let socket: typeof first | null = first
  const sql = postgres({
    host: settings.host,
    port: settings.port,
    database: settings.database,
    username: settings.user,
    password: settings.password,
    max: 1,
    fetch_types: false,
    prepare: false,
    connect_timeout: 10,
    ssl: tls ?? false,
    onnotice: () => {},
    // An option of the driver that its types lack.
    ...({
      socket: () => {
        const one = socket
        socket = null
        if (!one) throw new SourceFault('cut-off')
        return one
      },
    } as object),
    connection: {
      application_name: 'gatehouse directory sync',
      default_transaction_read_only: true,
      statement_timeout: settings.timeoutSeconds * 1000,
      DateStyle: 'ISO, YMD',
    },
  })
  try {
    // A statement opens the connection: reserving one before would wait forever.
    await sql.unsafe('select 1')
    const session = await sql.reserve()
    await session.unsafe('begin transaction isolation level repeatable read read only')
    return openSession(sql, session, tls !== null)
  } catch (error) {
    await sql.end({ timeout: 1 }).catch(() => {})
    first.destroy()
    const fault = toFault(error)
    // A server without encryption hangs up.
    throw tls && fault.problem === 'cut-off' ? new SourceFault('tls', fault.words) : fault
  }
}

/** Rows of a statement in batches. @throws SourceFault. */
async function* readRows(
  session: postgres.ReservedSql,
  text: string,
  parameters: string[] = [],
): AsyncGenerator<string[][]> {
  try {
    for await (const batch of session.unsafe(text, parameters).values().cursor(SOURCE_BATCH))
      yield (batch as unknown as (string | null)[][]).map((row) => row.map((value) => value ?? ''))
  } catch (error) {
    throw toFault(error)
  }
}

async function openSession(
  sql: postgres.Sql,
  session: postgres.ReservedSql,
  isEncrypted: boolean,
): Promise<OpenSource> {
  const ask = async <Row extends object>(text: string, parameters: string[] = []): Promise<Row[]> => {
    try {
      return [...(await session.unsafe<Row[]>(text, parameters))]
    } catch (error) {
      throw toFault(error)
    }
  }
  const one = async (text: string, parameters: string[] = []) =>
    (await ask<Record<string, string>>(text, parameters))[0] ?? {}
  const { server = '' } = await one(`select 'PostgreSQL ' || current_setting('server_version') as server`)
  const count = async (table: string) =>
    Number((await one(`select count(*)::text as n from ${quoteTable(table)}`))['n'])
  return {
    server,
    isEncrypted,
    count,
    tables: async (most) =>
      (
        await ask<{ name: string }>(
          `select case when table_schema = current_schema() then table_name else table_schema || '.' || table_name end as name
           from information_schema.tables where table_schema not in ('pg_catalog', 'information_schema')
             and has_table_privilege(format('%I.%I', table_schema, table_name), 'select')
           order by table_schema <> current_schema(), 1 limit ${most}`,
        )
      ).map(({ name }) => name),
    async columns(table) {
      const columns = await ask<{ name: string; type: string }>(
        `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
         where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
        [quoteTable(table)],
      )
      if (columns.length === 0) throw new SourceFault('no-table')
      return columns
    },
    mayWrite: async (table) =>
      String(
        (await one(`select has_table_privilege($1, 'insert, update, delete')::text as may`, [quoteTable(table)]))[
          'may'
        ],
      ) === 'true',
    async repeated(table, column) {
      const name = `${quote(column)}::text`
      const found = await one(
        `select (count(${name}) - count(distinct ${name}))::text as repeated,
           count(*) filter (where coalesce(${name}, '') = '')::text as empty from ${quoteTable(table)}`,
      )
      return { repeated: Number(found['repeated']), empty: Number(found['empty']) }
    },
    async *read(table, columns, most) {
      const expected = most === undefined ? await count(table) : null
      const text = `select ${pick(columns)} from ${quoteTable(table)}${most === undefined ? '' : ` limit ${most}`}`
      yield* expectRows(readRows(session, text), expected)
    },
    changes: {
      latest: async (table, column) =>
        (await one(`select max(${quote(column)})::text as latest from ${quoteTable(table)}`))['latest'] ?? null,
      async *readSince(table, columns, { column, value }) {
        const { type } = await one(
          `select format_type(atttypid, atttypmod) as type from pg_attribute where attrelid = $1::regclass and attname = $2`,
          [quoteTable(table), column],
        )
        const text = `select ${pick(columns)} from ${quoteTable(table)} where ${quote(column)} >= $1::${type}`
        yield* readRows(session, text, [value])
      },
    },
    async close() {
      await sql.end({ timeout: 1 }).catch(() => {})
    },
  }
}
