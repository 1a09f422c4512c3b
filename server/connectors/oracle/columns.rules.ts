import type { SourceColumn } from '../data-source.types.ts'

export const quote = (name: string): string => `"${name.replaceAll('"', '')}"`

const SECONDS = 'YYYY-MM-DD HH24:MI:SS'
const ZONE = 'TZH:TZM'

/** `WITH LOCAL TIME ZONE` is returned in the session's zone, which is UTC. */
const isZoned = (type: string): boolean => /^TIMESTAMP.* WITH TIME ZONE$/.test(type)

/** Converted to text by the server: the driver would convert every date to this machine's zone. */
export function textOf({ name, type }: SourceColumn): string {
  const column = quote(name)
  if (type === 'DATE') return `to_char(${column}, '${SECONDS}')`
  if (!type.startsWith('TIMESTAMP')) return column
  return `to_char(${column}, '${SECONDS}.FF6${isZoned(type) ? ZONE : ''}')`
}

/**
 * The SQL of the value `:since` after which a change column is read. It is a number, or a time as `YYYY-MM-DD HH:MM:SS` with `+HH:MM` if
 * the column has a zone.
 */
export function sinceOf({ type }: Pick<SourceColumn, 'type'>): string {
  if (type === 'DATE') return `to_date(:since, '${SECONDS}')`
  if (type.startsWith('TIMESTAMP'))
    return isZoned(type) ? `to_timestamp_tz(:since, '${SECONDS}${ZONE}')` : `to_timestamp(:since, '${SECONDS}')`
  return type === 'NUMBER' ? 'to_number(:since)' : ':since'
}
