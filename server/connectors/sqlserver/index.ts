import { expectRows } from '../counted-rows.service.ts'
import {
  MAX_SOURCE_VALUE,
  type OpenSource,
  type SourceColumn,
  SourceFault,
  type SourceSettings,
  splitTable,
} from '../data-source.types.ts'
import { openConnection } from './connection.service.ts'

const quote = (name: string): string => `[${name.replaceAll(']', ']]')}]`
const quoteTable = (table: string): string => {
  const { schema, name } = splitTable(table)
  return schema === null ? quote(name) : `${quote(schema)}.${quote(name)}`
}

/** A type as SQL Server names it, with the collation of text behind it. */
const baseOf = ({ type }: SourceColumn): string => /^\w+/.exec(type)?.[0] ?? ''

const TIMES = new Set(['date', 'time', 'datetime', 'datetime2', 'smalldatetime', 'datetimeoffset'])
/** `timestamp` is a row version, which grows with each change. */
const BYTES = new Set(['binary', 'varbinary', 'timestamp'])

/** As text by the server: no date, number or binary value is anybody's guess on the way. */
function textOf(column: SourceColumn): string {
  const name = quote(column.name)
  const base = baseOf(column)
  if (TIMES.has(base)) return `convert(nvarchar(40), ${name}, 126)`
  if (BYTES.has(base)) return `convert(nvarchar(max), convert(varbinary(1000), ${name}), 1)`
  // Numbers of people that a sheet brought in are often floating point, which convert would write as 2.024e+007.
  if (base === 'float' || base === 'real') return `format(${name}, N'0.###############', N'en-US')`
  if (base === 'money' || base === 'smallmoney') return `convert(nvarchar(40), ${name}, 2)`
  return `convert(nvarchar(max), ${name})`
}

/** A value that was read by `textOf`, as a value of the column again. */
function literalOf(column: SourceColumn, parameter: string): string {
  const base = baseOf(column)
  if (TIMES.has(base)) return `convert(${base}, ${parameter}, 126)`
  return BYTES.has(base) ? `convert(varbinary(1000), ${parameter}, 1)` : `convert(${base}, ${parameter})`
}

/** Types that say nothing of a person are left out: pictures and what is a class of its own. */
const COLUMNS = `
  select c.name, concat(type_name(c.system_type_id), nullif(concat(' ', c.collation_name), ' '))
  from sys.columns c
  where c.object_id = object_id(@table) and type_name(c.system_type_id) not in ('image', 'sql_variant', 'xml')
    and c.system_type_id <> 240
  order by c.column_id`

/**
 * Reads a Microsoft SQL Server database, from version 2016 on. It was never tried against a server, since none runs where Gatehouse is
 * built. @throws SourceFault.
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
  const columnOf = async (table: string, name: string): Promise<SourceColumn> => {
    const column = (await columnsOf(table)).find((one) => one.name === name)
    if (!column) throw new SourceFault('no-column', name)
    return column
  }
  const pick = async (table: string, names: readonly string[]): Promise<string> => {
    const columns = new Map((await columnsOf(table)).map((column) => [column.name, column]))
    return names
      .map((name) => {
        const column = columns.get(name)
        if (!column) throw new SourceFault('no-column', name)
        return `left(${textOf(column)}, ${MAX_SOURCE_VALUE})`
      })
      .join(', ')
  }
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
      const text = textOf(await columnOf(table, column))
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
        const text = textOf({ ...(await columnOf(table, column)), name: 'latest' })
        const greatest = `select max(${quote(column)}) as latest from ${quoteTable(table)}`
        return (await one(`select ${text} from (${greatest}) greatest`))[0] || null
      },
      async *readSince(table, columns, { column, value }) {
        const since = literalOf(await columnOf(table, column), '@since')
        const text = `select ${await pick(table, columns)} from ${quoteTable(table)} where ${quote(column)} >= ${since}`
        yield* stream(text, { since: value })
      },
    },
    close,
  }
}
