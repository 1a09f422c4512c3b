import type { SourceColumn } from '../data-source.types.ts'

export const quote = (name: string): string => `[${name.replaceAll(']', ']]')}]`

/** A type as SQL Server names it, followed by the collation for text. */
const baseOf = ({ type }: Pick<SourceColumn, 'type'>): string => /^\w+/.exec(type)?.[0] ?? ''

const TIMES = new Set(['date', 'time', 'datetime', 'datetime2', 'smalldatetime', 'datetimeoffset'])

/** Converted to text by the server, so that the driver can't misinterpret dates, numbers or binary values. */
export function textOf(column: SourceColumn): string {
  const name = quote(column.name)
  const base = baseOf(column)
  // ISO 8601, with a T.
  if (TIMES.has(base)) return `convert(nvarchar(40), ${name}, 126)`
  // A row version, which grows with each change: as a number it is ordered.
  if (base === 'timestamp') return `convert(nvarchar(20), convert(bigint, ${name}))`
  if (base === 'binary' || base === 'varbinary') return `convert(nvarchar(max), convert(varbinary(1000), ${name}), 1)`
  // Account numbers imported from a sheet are often floating point, which convert would write as 2.024e+007.
  if (base === 'float' || base === 'real') return `format(${name}, N'0.###############', N'en-US')`
  if (base === 'money' || base === 'smallmoney') return `convert(nvarchar(40), ${name}, 2)`
  return `convert(nvarchar(max), ${name})`
}

/**
 * The SQL of a value after which a change column is read.
 * @param value a number, or a time as `YYYY-MM-DD`, or `YYYY-MM-DD HH:MM:SS` with or without `+HH:MM`
 * @returns the SQL, and the value for `@since`
 */
export function sinceOf(column: Pick<SourceColumn, 'type'>, value: string): { text: string; since: string } {
  const base = baseOf(column)
  if (base === 'timestamp') return { text: 'convert(binary(8), convert(bigint, @since))', since: value }
  if (base === 'date') return { text: 'convert(date, @since, 23)', since: value.slice(0, 10) }
  if (!TIMES.has(base)) return { text: `convert(${base}, @since)`, since: value }
  // The only format that doesn't depend on the session's language.
  const style = base === 'datetimeoffset' ? '' : ', 126'
  return { text: `convert(${base}, @since${style})`, since: value.replace(' ', 'T') }
}
