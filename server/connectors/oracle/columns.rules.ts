import type { SourceColumn } from '../data-source.types.ts'

export const quote = (name: string): string => `"${name.replaceAll('"', '')}"`

const SECONDS = 'YYYY-MM-DD HH24:MI:SS'
const ZONE = 'TZH:TZM'

/** `WITH LOCAL TIME ZONE` is told in the zone of the session, which is UTC. */
const isZoned = (type: string): boolean => /^TIMESTAMP.* WITH TIME ZONE$/.test(type)

/** As text by the server: the driver would make a date of this machine of every date. */
export function textOf({ name, type }: SourceColumn): string {
  const column = quote(name)
  if (type === 'DATE') return `to_char(${column}, '${SECONDS}')`
  if (!type.startsWith('TIMESTAMP')) return column
  return `to_char(${column}, '${SECONDS}.FF6${isZoned(type) ? ZONE : ''}')`
}

/**
 * The value `:since` from which a column of changes is read on, in SQL.
 * It is a number, or a time as `YYYY-MM-DD HH:MM:SS` with `+HH:MM` where the column has a zone.
 */
export function sinceOf({ type }: Pick<SourceColumn, 'type'>): string {
  if (type === 'DATE') return `to_date(:since, '${SECONDS}')`
  if (type.startsWith('TIMESTAMP'))
    return isZoned(type) ? `to_timestamp_tz(:since, '${SECONDS}${ZONE}')` : `to_timestamp(:since, '${SECONDS}')`
  return type === 'NUMBER' ? 'to_number(:since)' : ':since'
}
