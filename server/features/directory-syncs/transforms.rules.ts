import type { Transform, TransformKind } from '#shared/contract/sync-mappings.ts'
import { toValidPhone } from '#shared/rules/phone.ts'
import type { Problem } from './rows.store.ts'

/** Limit of a value after each step. */
const MAX_VALUE = 2000

export type MappedValue = { value: string; problem: Problem | null }
type Mapped = { column: string; transforms: readonly Transform[] }
/** The value of a column; empty if absent. */
type Cells = (column: string) => string

const NAMED = /\{([^{}]{0,200})\}/g

/** The distinct columns that a mapping reads. */
export function columnsOf(mapping: readonly Mapped[]): string[] {
  const names = mapping.flatMap(({ column, transforms }) => [column, ...transforms.flatMap(columnsOfStep)])
  return [...new Set(names)].filter(Boolean)
}

function columnsOfStep(step: Transform): string[] {
  if (step.kind === 'copy') return [step.column]
  if (step.kind === 'join' || step.kind === 'firstOf') return step.columns
  return step.kind === 'template' ? [...step.text.matchAll(NAMED)].map(([, name = '']) => name.trim()) : []
}

/** Applies the steps to a column's value, up to the first one that fails. */
export function mapValue({ column, transforms }: Mapped, cells: Cells): MappedValue {
  let value = column === '' ? '' : cells(column)
  for (const step of transforms) {
    const made = APPLY[step.kind](step as never, value, cells)
    if (made === null)
      return {
        value,
        problem: { key: `directory-sync-problem.no-${step.kind}`, params: { value: value.slice(0, 60) } },
      }
    if (made.length > MAX_VALUE) return { value: '', problem: { key: 'person-problem.too-long' } }
    value = made
  }
  return { value, problem: null }
}

type Step<Kind extends TransformKind> = Extract<Transform, { kind: Kind }>
type Apply = { [Kind in TransformKind]: (step: Step<Kind>, value: string, cells: Cells) => string | null }

/** Null: the step can't process the value. Empty values stay empty unless a step supplies one. */
const APPLY: Apply = {
  copy: ({ column }, _, cells) => cells(column),
  const: ({ value }) => value,
  template: ({ text }, value, cells) => text.replace(NAMED, (_, name) => (name.trim() ? cells(name.trim()) : value)),
  trim: (_, value) => value.trim(),
  upper: (_, value) => value.toUpperCase(),
  lower: (_, value) => value.toLowerCase(),
  halfwidth: (_, value) =>
    value
      .replace(/[\uff01-\uff5e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
      .replace(/\u3000/g, ' '),
  replace: (step, value) => value.split(step.search).join(step.with),
  substring: ({ from, length }, value) => {
    const signs = [...value]
    const start = from < 0 ? Math.max(0, signs.length + from) : Math.max(0, from - 1)
    return signs.slice(start, length === null ? undefined : start + length).join('')
  },
  split: ({ separator, part }, value) => {
    const parts = value.split(separator)
    return (part < 0 ? parts.at(part) : parts[part - 1]) ?? ''
  },
  join: ({ columns, separator }, _, cells) => columns.map(cells).filter(Boolean).join(separator),
  map: ({ table, otherwise }, value) => table.find(({ from }) => from === value)?.to ?? otherwise ?? value,
  date: ({ format }, value) => (value === '' ? '' : toDay(value.trim(), format)),
  phone: (_, value) => (value.trim() === '' ? '' : toValidPhone(value)),
  firstOf: ({ columns }, _, cells) => columns.map(cells).find(Boolean) ?? '',
  pad: ({ length, with: sign, side }, value) => {
    if (value === '') return ''
    const missing = sign.repeat(Math.max(0, length - [...value].length))
    return side === 'start' ? missing + value : value + missing
  },
}

/** Converts to YYYY-MM-DD; null: not a date in this format. A time after it is ignored. */
function toDay(text: string, format: Step<'date'>['format']): string | null {
  const names = format.match(/Y+|M+|D+/g) ?? []
  const pattern = format
    .replace(/[./]/g, '\\$&')
    .replace(/YYYY/, '(\\d{4})')
    .replace(/MM|DD/g, format.includes('YYYYMM') ? '(\\d{2})' : '(\\d{1,2})')
  const found = new RegExp(`^${pattern}(?:[ T].*)?$`).exec(text)
  if (!found) return null
  const part = (letter: string) =>
    (found[names.findIndex((name) => name.startsWith(letter)) + 1] ?? '').padStart(2, '0')
  const iso = `${part('Y')}-${part('M')}-${part('D')}`
  const day = new Date(`${iso}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(iso) ? iso : null
}

/** Fields that are masked here as elsewhere. */
export const MASKED: readonly string[] = ['idNumber', 'phone', 'mailbox']
