import type { SourceColumn } from '../data-source.types.ts'

export const quote = (name: string): string => `[${name.replaceAll(']', ']]')}]`

/** A type as SQL Server names it, with the collation of text behind it. */
const baseOf = ({ type }: Pick<SourceColumn, 'type'>): string => /^\w+/.exec(type)?.[0] ?? ''

const TIMES = new Set(['date', 'time', 'datetime', 'datetime2', 'smalldatetime', 'datetimeoffset'])

/** As text by the server: no date, number or binary value is anybody's guess on the way. */
export function textOf(column: SourceColumn): string {
  const name = quote(column.name)
  const base = baseOf(column)
  // ISO 8601, with a T.
  if (TIMES.has(base)) return `convert(nvarchar(40), ${name}, 126)`
  // A row version, which grows with each change: as a number it has an order.
  if (base === 'timestamp') return `convert(nvarchar(20), convert(bigint, ${name}))`
  if (base === 'binary' || base === 'varbinary') return `convert(nvarchar(max), convert(varbinary(1000), ${name}), 1)`
  // Numbers of people that a sheet brought in are often floating point, which convert would write as 2.024e+007.
  if (base === 'float' || base === 'real') return `format(${name}, N'0.###############', N'en-US')`
  if (base === 'money' || base === 'smallmoney') return `convert(nvarchar(40), ${name}, 2)`
  return `convert(nvarchar(max), ${name})`
}

/**
 * A value from which a column of changes is read on, in SQL.
 * @param value a number, or a time as `YYYY-MM-DD`, or `YYYY-MM-DD HH:MM:SS` with or without `+HH:MM`
 * @returns the SQL, and the value that it takes as `@since`
 */
export function sinceOf(column: Pick<SourceColumn, 'type'>, value: string): { text: string; since: string } {
  const base = baseOf(column)
  if (base === 'timestamp') return { text: 'convert(binary(8), convert(bigint, @since))', since: value }
  if (base === 'date') return { text: 'convert(date, @since, 23)', since: value.slice(0, 10) }
  if (!TIMES.has(base)) return { text: `convert(${base}, @since)`, since: value }
  // The only form whose reading no language of the session changes.
  const style = base === 'datetimeoffset' ? '' : ', 126'
  return { text: `convert(${base}, @since${style})`, since: value.replace(' ', 'T') }
}
