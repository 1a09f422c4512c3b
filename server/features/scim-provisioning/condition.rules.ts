import { validate as isUuid } from 'uuid'
import { isStorableMoment } from '#shared/rules/moment-range.ts'
import { toE164 } from '#shared/rules/phone.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'
import { escapeLike } from '../../platform/list.ts'
import { errors } from './scim-provisioning.errors.ts'

export const COMPARISONS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const
export type Comparison = (typeof COMPARISONS)[number]

/** A search condition by column names; callers that know a wire format convert its filters. */
export type Condition<Column extends string> =
  | { all: Condition<Column>[] }
  | { any: Condition<Column>[] }
  | { not: Condition<Column> }
  | { is: boolean }
  | { present: Column }
  | { column: Column; op: Comparison; value: string | number | boolean | null }

/**
 * `word`: compared ignoring case, by `lower(…)`. `exact`: compared as is. `member`: the value is an id that is, or is not, among many, by
 * `has`.
 */
export type ConditionColumn =
  | { kind: 'flag'; sql: SqlFragment }
  | { kind: 'id'; sql: SqlFragment }
  | { kind: 'word' | 'exact' | 'phone' | 'moment'; sql: SqlFragment }
  | { kind: 'member'; has: (id: string) => SqlFragment; any: SqlFragment }

export type ConditionColumns<Column extends string> = Readonly<Record<Column, ConditionColumn>>

/** The condition as SQL. Null counts as false, so that plain comparisons can use an index. @throws Refusal `scim.cannot-compare`. */
export function toSql<Column extends string>(
  db: Db,
  condition: Condition<Column>,
  columns: ConditionColumns<Column>,
): SqlFragment {
  const each = (parts: readonly Condition<Column>[], joint: SqlFragment, empty: SqlFragment): SqlFragment =>
    parts.reduce<SqlFragment>((sql, part) => db`${sql} ${joint} ${toSql(db, part, columns)}`, empty)
  if ('all' in condition) return db`(${each(condition.all, db`and`, db`true`)})`
  if ('any' in condition) return db`(${each(condition.any, db`or`, db`false`)})`
  if ('not' in condition) return db`not coalesce(${toSql(db, condition.not, columns)}, false)`
  if ('is' in condition) return condition.is ? db`true` : db`false`
  if ('present' in condition) return presence(db, columns[condition.present])
  const { column, op, value } = condition
  const sql = compare(db, columns[column], op, value)
  if (!sql) throw errors['scim.cannot-compare']({ params: { attribute: column, op } })
  return sql
}

function presence(db: Db, column: ConditionColumn): SqlFragment {
  if (column.kind === 'member') return column.any
  return column.kind === 'word' || column.kind === 'exact'
    ? db`coalesce(${column.sql}, '') <> ''`
    : db`${column.sql} is not null`
}

/** Null: not a valid comparison. */
function compare(
  db: Db,
  column: ConditionColumn,
  op: Comparison,
  value: string | number | boolean | null,
): SqlFragment | null {
  if (value === null) return compareNothing(db, column, op)
  if (column.kind === 'flag') return compareFlag(db, column.sql, op, value)
  return typeof value === 'string' ? compareWords(db, column, op, value) : null
}

function compareNothing(db: Db, column: ConditionColumn, op: Comparison): SqlFragment | null {
  if (op === 'ne') return presence(db, column)
  return op === 'eq' ? db`not ${presence(db, column)}` : null
}

function compareWords(
  db: Db,
  column: Exclude<ConditionColumn, { kind: 'flag' }>,
  op: Comparison,
  value: string,
): SqlFragment | null {
  if (column.kind === 'member' || column.kind === 'id') return compareId(db, column, op, value)
  const { sql } = column
  if (column.kind === 'moment') return compareMoment(db, sql, op, value)
  if (column.kind === 'phone') return compareText(db, sql, op, toE164(value) ?? value)
  if (column.kind === 'exact') return compareText(db, sql, op, value)
  return compareText(db, db`lower(${sql})`, op, value.toLowerCase())
}

function compareFlag(db: Db, sql: SqlFragment, op: Comparison, value: string | number | boolean): SqlFragment | null {
  // In Entra ID's form: "True".
  const text = String(value).toLowerCase()
  if ((text !== 'true' && text !== 'false') || (op !== 'eq' && op !== 'ne')) return null
  return (text === 'true') === (op === 'eq') ? db`${sql}` : db`not ${sql}`
}

function compareMoment(db: Db, sql: SqlFragment, op: Comparison, value: string): SqlFragment | null {
  const at = new Date(value)
  if (!isStorableMoment(at)) return null
  const operator = operatorOf(db, op)
  return operator && db`date_trunc('milliseconds', ${sql}) ${operator} ${at}::timestamptz`
}

function compareId(
  db: Db,
  column: Extract<ConditionColumn, { kind: 'member' | 'id' }>,
  op: Comparison,
  value: string,
): SqlFragment | null {
  if (op !== 'eq' && op !== 'ne') return null
  // No id equals a text that is not an id.
  if (!isUuid(value)) return op === 'eq' ? db`false` : db`true`
  const same = column.kind === 'member' ? column.has(value) : db`${column.sql} = ${value}::uuid`
  return op === 'eq' ? same : db`not coalesce(${same}, false)`
}

function operatorOf(db: Db, op: Comparison): SqlFragment | null {
  if (op === 'eq') return db`=`
  if (op === 'ne') return db`is distinct from`
  if (op === 'gt') return db`>`
  if (op === 'ge') return db`>=`
  if (op === 'lt') return db`<`
  return op === 'le' ? db`<=` : null
}

function compareText(db: Db, sql: SqlFragment, op: Comparison, value: string): SqlFragment {
  const operator = operatorOf(db, op)
  if (operator) return db`${sql} ${operator} ${value}`
  const part = escapeLike(value)
  const pattern = op === 'sw' ? `${part}%` : op === 'ew' ? `%${part}` : `%${part}%`
  return db`${sql} like ${pattern}`
}
