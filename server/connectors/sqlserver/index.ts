import { columnsNamed, expectRows } from '../counted-rows.service.ts'
import {
  MAX_SOURCE_VALUE,
  type OpenSource,
  type SourceColumn,
  SourceFault,
  type SourceSettings,
  splitTable,
} from '../data-source.types.ts'
import { quote, sinceOf, textOf } from './columns.rules.ts'
import { openConnection } from './connection.service.ts'

const quoteTable = (table: string): string => {
  const { schema, name } = splitTable(table)
  return schema === null ? quote(name) : `${quote(schema)}.${quote(name)}`
}

/** Without types that don't describe people: pictures and CLR types. */
const COLUMNS = `
  select c.name, concat(type_name(c.system_type_id), nullif(concat(' ', c.collation_name), ' '))
  from sys.columns c
  where c.object_id = object_id(@table) and type_name(c.system_type_id) not in ('image', 'sql_variant', 'xml')
    and c.system_type_id <> 240
  order by c.column_id`

/**
 * Reads a Microsoft SQL Server database, version 2016 or later. Never tested against a server, since none runs where Gatehouse is built.
 * @throws SourceFault.
 */
export async function openSqlserver(settings: SourceSettings): Promise<OpenSource> {
  const { ask, stream, isEncrypted, close } = await openConnection(settings)
  const one = async (...asked: Parameters<typeof ask>) => (await ask(...asked))[0] ?? []
  const [version = ''] = await one(`select convert(nvarchar(40), serverproperty('ProductVersion'))`)
  const columnsOf = async (table: string): Promise<SourceColumn[]> => {
    const found = await ask(COLUMNS, { table: quoteTable(table) })
    if (found.length === 0) throw new SourceFault('no-table')
    return found.map(([name = '', type = '']) => ({ name, type }))
  }
  const named = async (table: string, names: readonly string[]) => columnsNamed(await columnsOf(table), names)
  const pick = async (table: string, names: readonly string[]): Promise<string> =>
    (await named(table, names)).map((column) => `left(${textOf(column)}, ${MAX_SOURCE_VALUE})`).join(', ')
  const count = async (table: string) => Number((await one(`select count_big(*) from ${quoteTable(table)}`))[0])
  return {
    server: `SQL Server ${version}`,
    isEncrypted,
    count,
    tables: async (most) =>
      (
        await ask(
          `select top (${most}) case when s.name = schema_name() then o.name else concat(s.name, '.', o.name) end
           from sys.objects o join sys.schemas s on s.schema_id = o.schema_id
           where o.type in ('U', 'V') and has_perms_by_name(concat(quotename(s.name), '.', quotename(o.name)), 'OBJECT', 'SELECT') = 1
           order by case when s.name = schema_name() then 0 else 1 end, 1`,
        )
      ).map(([name = '']) => name),
    columns: columnsOf,
    mayWrite: async (table) => {
      const rights = ['INSERT', 'UPDATE', 'DELETE'].map(
        (right) => `has_perms_by_name(@table, 'OBJECT', '${right}') = 1`,
      )
      const [may] = await one(`select case when ${rights.join(' or ')} then 1 else 0 end`, { table: quoteTable(table) })
      return may === '1'
    },
    async repeated(table, column) {
      const text = (await named(table, [column])).map(textOf).join()
      const [repeated, empty] = await one(
        `select count_big(${text}) - count_big(distinct ${text}), count_big(case when coalesce(${text}, '') = '' then 1 end)
         from ${quoteTable(table)}`,
      )
      return { repeated: Number(repeated), empty: Number(empty) }
    },
    async *read(table, columns, most) {
      const expected = most === undefined ? await count(table) : null
      const top = most === undefined ? '' : `top (${most}) `
      yield* expectRows(stream(`select ${top}${await pick(table, columns)} from ${quoteTable(table)}`), expected)
    },
    changes: {
      async latest(table, column) {
        const [found] = await named(table, [column])
        const text = textOf({ name: 'latest', type: found?.type ?? '' })
        const greatest = `select max(${quote(column)}) as latest from ${quoteTable(table)}`
        return (await one(`select ${text} from (${greatest}) greatest`))[0] || null
      },
      async *readSince(table, columns, { column, value }) {
        const [found] = await named(table, [column])
        const { text, since } = sinceOf({ type: found?.type ?? '' }, value)
        const picked = await pick(table, columns)
        yield* stream(`select ${picked} from ${quoteTable(table)} where ${quote(column)} >= ${text}`, { since })
      },
    },
    close,
  }
}
