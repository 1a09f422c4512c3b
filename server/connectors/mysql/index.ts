import { expectRows } from '../counted-rows.service.ts'
import {
  MAX_SOURCE_VALUE,
  type OpenSource,
  SOURCE_BATCH,
  SourceFault,
  type SourceSettings,
  splitTable,
} from '../data-source.types.ts'
import { connectionError, openConnection, type Row } from './connection.service.ts'

const quote = (name: string): string => `\`${name.replaceAll('`', '``')}\``
const quoteTable = (table: string): string => {
  const { schema, name } = splitTable(table)
  return schema === null ? quote(name) : `${quote(schema)}.${quote(name)}`
}

/** Converted to text by the server, so that the driver can't misinterpret dates, numbers or binary values. */
const pick = (columns: readonly string[]): string =>
  columns.map((name) => `left(cast(${quote(name)} as char), ${MAX_SOURCE_VALUE})`).join(', ')

/** Privileges that a reader should not have. */
const WRITING = /\b(ALL PRIVILEGES|INSERT|UPDATE|DELETE|DROP|ALTER|CREATE|FILE|SUPER)\b/i

/** Reads a MySQL or MariaDB database: one session, one snapshot, read-only enforced by the server. @throws SourceFault. */
export async function openMysql(settings: SourceSettings): Promise<OpenSource> {
  const connection = await openConnection(settings)
  const { ask } = connection
  const count = async (table: string) => Number((await ask(`select count(*) from ${quoteTable(table)}`))[0]?.[0])
  const [found] = await ask('select version()')
  const version = String(found?.[0])
  return {
    server: version.includes('MariaDB') ? version : `MySQL ${version}`,
    isEncrypted: connection.isEncrypted,
    count,
    tables: async (most) =>
      (
        await ask(
          `select table_name from information_schema.tables where table_schema = database() order by table_name limit ${most}`,
        )
      ).map(([name]) => String(name)),
    async columns(table) {
      const { schema, name } = splitTable(table)
      const columns = await ask(
        `select column_name, column_type, character_set_name from information_schema.columns
         where table_schema = ${schema === null ? 'database()' : '?'} and table_name = ? order by ordinal_position`,
        schema === null ? [name] : [schema, name],
      )
      if (columns.length === 0) throw new SourceFault('no-table')
      return columns.map(([column, type, charset]) => ({
        name: String(column),
        type: charset ? `${type} ${charset}` : String(type),
      }))
    },
    mayWrite: async () =>
      (await ask('show grants')).some(([grant]) => WRITING.test(String(grant).split(' ON ')[0] ?? '')),
    async repeated(table, column) {
      const name = quote(column)
      const [row] = await ask(
        `select count(${name}) - count(distinct ${name}), coalesce(sum(coalesce(${name}, '') = ''), 0) from ${quoteTable(table)}`,
      )
      return { repeated: Number(row?.[0]), empty: Number(row?.[1]) }
    },
    async *read(table, columns, most) {
      const expected = most === undefined ? await count(table) : null
      const text = `select ${pick(columns)} from ${quoteTable(table)}${most === undefined ? '' : ` limit ${most}`}`
      yield* expectRows(readBatches(connection.stream(text)), expected)
    },
    changes: {
      async latest(table, column) {
        const [row] = await ask(`select cast(max(${quote(column)}) as char) from ${quoteTable(table)}`)
        return row?.[0] === null || row?.[0] === undefined ? null : String(row[0])
      },
      async *readSince(table, columns, { column, value }) {
        const text = `select ${pick(columns)} from ${quoteTable(table)} where ${quote(column)} >= ${connection.escape(value)}`
        yield* readBatches(connection.stream(text))
      },
    },
    close: connection.close,
  }
}

const toText = (value: string | number | null): string => (value === null ? '' : String(value))

/** @throws SourceFault. */
async function* readBatches(rows: AsyncIterable<Row>): AsyncGenerator<string[][]> {
  let batch: string[][] = []
  try {
    for await (const row of rows) {
      batch.push(row.map(toText))
      if (batch.length < SOURCE_BATCH) continue
      yield batch
      batch = []
    }
  } catch (error) {
    throw connectionError(error)
  }
  if (batch.length > 0) yield batch
}
