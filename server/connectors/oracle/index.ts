import { isIPv6 } from 'node:net'
import type { BindParameters, Connection } from 'oracledb'
import { collectRows, columnsNamed, expectRows } from '../counted-rows.service.ts'
import {
  MAX_SOURCE_VALUE,
  type OpenSource,
  SOURCE_BATCH,
  type SourceColumn,
  SourceFault,
  type SourceProblem,
  type SourceSettings,
  splitTable,
} from '../data-source.types.ts'
import { isTlsError, openSourceSocket } from '../source-socket.service.ts'
import { quote, sinceOf, textOf } from './columns.rules.ts'

const DEFAULT_PORT = 1521

const quoteTable = (table: string): string => {
  const { schema, name } = splitTable(table)
  return schema === null ? quote(name) : `${quote(schema)}.${quote(name)}`
}

/** By the number of an ORA or NJS error. */
const PROBLEMS: readonly [RegExp, SourceProblem][] = [
  [/^(ORA-01017|ORA-28000|ORA-28001|ORA-01045)/, 'login-refused'],
  [/^(ORA-12514|ORA-12505|ORA-01109|NJS-51[89])/, 'no-database'],
  [/^(ORA-00942|ORA-04043)/, 'no-table'],
  [/^ORA-00904/, 'no-column'],
  [/^ORA-01031/, 'no-rights'],
  [/^(NJS-505|NJS-516)/, 'tls'],
  [/^(NJS-123|NJS-040|NJS-510|ORA-12170)/, 'timeout'],
  [/^(NJS-500|NJS-501|NJS-503|NJS-521|ORA-03113|ORA-03114|ORA-00028)/, 'cut-off'],
]

/** Converts an error to the faults that all sources share. */
function toFault(error: unknown): SourceFault {
  if (error instanceof SourceFault) return error
  const { code = '', message = '' } = error as { code?: string; message?: string }
  if (isTlsError(code)) return new SourceFault('tls', message)
  return new SourceFault(PROBLEMS.find(([pattern]) => pattern.test(code || message))?.[1] ?? 'failed', message)
}

/** Where the driver connects. Without TLS the very address that was checked before; with TLS the certificate proves the name. */
async function addressOf(settings: SourceSettings & { port: number }): Promise<string> {
  const socket = await openSourceSocket(settings)
  const address = socket.remoteAddress ?? settings.host
  socket.destroy()
  if (settings.tls !== 'off') return settings.host
  return isIPv6(address) ? `[${address}]` : address
}

/** Regardless of its own language and zone. */
const FORMATS = `alter session set nls_numeric_characters = '.,' time_zone = '+00:00'`

/**
 * Reads an Oracle database, version 12.1 or later: one session, one snapshot, read-only enforced by the server. Never tested against a
 * server, since none runs where Gatehouse is built. @throws SourceFault.
 */
export async function openOracle(given: SourceSettings): Promise<OpenSource> {
  const settings = { ...given, port: given.port || DEFAULT_PORT }
  // Other characters could change the address: a service name has none of them.
  if (!/^[\w.$#-]+$/.test(settings.database)) throw new SourceFault('no-database', settings.database)
  const address = await addressOf(settings)
  // Loaded on demand: most installations read no Oracle.
  const { default: oracledb } = await import('oracledb')
  const scheme = settings.tls === 'off' ? 'tcp' : 'tcps'
  let connection: Connection
  try {
    connection = await oracledb.getConnection({
      user: settings.user,
      password: settings.password,
      connectString: `${scheme}://${address}:${settings.port}/${settings.database}?connect_timeout=${Math.min(10, settings.timeoutSeconds)}&retry_count=0`,
    })
  } catch (error) {
    throw toFault(error)
  }
  connection.callTimeout = settings.timeoutSeconds * 1000
  const close = async () => await connection.close().catch(() => {})
  async function* stream(text: string, parameters: BindParameters = {}): AsyncGenerator<string[][]> {
    try {
      const options = { resultSet: true, outFormat: oracledb.OUT_FORMAT_ARRAY, fetchArraySize: SOURCE_BATCH }
      const { resultSet } = await connection.execute<(string | null)[]>(text, parameters, {
        ...options,
        fetchTypeHandler: () => ({ type: oracledb.STRING }),
      })
      if (!resultSet) return
      try {
        for (
          let rows = await resultSet.getRows(SOURCE_BATCH);
          rows.length > 0;
          rows = await resultSet.getRows(SOURCE_BATCH)
        )
          yield rows.map((row) => row.map((value) => (value ?? '').slice(0, MAX_SOURCE_VALUE)))
      } finally {
        await resultSet.close()
      }
    } catch (error) {
      throw toFault(error)
    }
  }
  try {
    await connection.execute(FORMATS)
    await connection.execute('set transaction read only')
    return await openSession({
      stream,
      isEncrypted: settings.tls !== 'off',
      version: connection.oracleServerVersionString,
      close,
    })
  } catch (error) {
    await close()
    throw toFault(error)
  }
}

type Session = {
  stream(text: string, parameters?: BindParameters): AsyncGenerator<string[][]>
  isEncrypted: boolean
  version: string
  close(): Promise<void>
}

/** For one table, with its owner; without system columns and large objects, which don't describe people. */
const COLUMNS = `
  select column_name, data_type from all_tab_columns
  where table_name = :name and owner = coalesce(:owner, sys_context('USERENV', 'CURRENT_SCHEMA'))
    and (data_type in ('CHAR', 'NCHAR', 'VARCHAR2', 'NVARCHAR2', 'NUMBER', 'FLOAT', 'BINARY_FLOAT', 'BINARY_DOUBLE', 'DATE', 'RAW')
      or data_type like 'TIMESTAMP%')
  order by column_id`

const TABLES = `
  select case when owner = sys_context('USERENV', 'CURRENT_SCHEMA') then object_name else owner || '.' || object_name end
  from all_objects
  where object_type in ('TABLE', 'VIEW', 'MATERIALIZED VIEW') and owner not in (select username from all_users where oracle_maintained = 'Y')
  order by case when owner = sys_context('USERENV', 'CURRENT_SCHEMA') then 0 else 1 end, 1`

const RIGHTS = `
  select count(*) from (
    select 1 from dual where coalesce(:owner, sys_context('USERENV', 'CURRENT_SCHEMA')) = user
    union all
    select 1 from all_tab_privs where table_name = :name and table_schema = coalesce(:owner, sys_context('USERENV', 'CURRENT_SCHEMA'))
      and privilege in ('INSERT', 'UPDATE', 'DELETE')
      and grantee in (select user from dual union all select 'PUBLIC' from dual union all select role from session_roles)
    union all
    select 1 from session_privs where privilege in ('INSERT ANY TABLE', 'UPDATE ANY TABLE', 'DELETE ANY TABLE'))`

async function openSession({ stream, isEncrypted, version, close }: Session): Promise<OpenSource> {
  const ask = (text: string, parameters: BindParameters = {}) => collectRows(stream(text, parameters))
  const one = async (...asked: Parameters<typeof ask>) => (await ask(...asked))[0] ?? []
  const placeOf = (table: string) => {
    const { schema, name } = splitTable(table)
    return { owner: schema, name }
  }
  const count = async (table: string) => Number((await one(`select count(*) from ${quoteTable(table)}`))[0])
  const columnsOf = async (table: string): Promise<SourceColumn[]> => {
    const found = await ask(COLUMNS, placeOf(table))
    if (found.length === 0) throw new SourceFault('no-table')
    return found.map(([name = '', type = '']) => ({ name, type }))
  }
  const named = async (table: string, names: readonly string[]) => columnsNamed(await columnsOf(table), names)
  const pick = async (table: string, names: readonly string[]) => (await named(table, names)).map(textOf).join(', ')
  return {
    server: `Oracle ${version}`,
    isEncrypted,
    count,
    tables: async (most) => (await ask(`select * from (${TABLES}) where rownum <= ${most}`)).map(([name = '']) => name),
    columns: columnsOf,
    mayWrite: async (table) => Number((await one(RIGHTS, placeOf(table)))[0]) > 0,
    async repeated(table, column) {
      const name = quote(column)
      // An empty string is NULL in Oracle.
      const [repeated, empty] = await one(
        `select count(${name}) - count(distinct ${name}), count(*) - count(${name}) from ${quoteTable(table)}`,
      )
      return { repeated: Number(repeated), empty: Number(empty) }
    },
    async *read(table, columns, most) {
      const expected = most === undefined ? await count(table) : null
      const limit = most === undefined ? '' : ` where rownum <= ${most}`
      yield* expectRows(stream(`select ${await pick(table, columns)} from ${quoteTable(table)}${limit}`), expected)
    },
    changes: {
      async latest(table, column) {
        const [found] = await named(table, [column])
        const greatest = `select max(${quote(column)}) as "LATEST" from ${quoteTable(table)}`
        return (
          (await one(`select ${textOf({ name: 'LATEST', type: found?.type ?? '' })} from (${greatest})`))[0] || null
        )
      },
      async *readSince(table, columns, { column, value }) {
        const [found] = await named(table, [column])
        const since = sinceOf({ type: found?.type ?? '' })
        const picked = await pick(table, columns)
        const text = `select ${picked} from ${quoteTable(table)} where ${quote(column)} >= ${since}`
        yield* stream(text, { since: value })
      },
    },
    close,
  }
}
