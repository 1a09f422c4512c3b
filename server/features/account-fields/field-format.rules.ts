import { type FieldFormat, type FieldPreset, MAX_JUDGED_LENGTH } from '#shared/contract/field-rules.ts'
import { isResidentId } from '#shared/rules/resident-id.ts'
import { compilePattern } from '../../platform/pattern.ts'

/** Own patterns that were compiled lately: thousands of rows are judged by the same few. */
const compiled = new Map<string, ReturnType<typeof compilePattern>>()
const MAX_COMPILED = 100

function fitsPattern(pattern: string, value: string): boolean {
  if (!compiled.has(pattern)) {
    if (compiled.size >= MAX_COMPILED) compiled.clear()
    compiled.set(pattern, compilePattern(pattern))
  }
  // One that is none by now refuses nothing: nobody could give a value then.
  return compiled.get(pattern)?.(value) ?? true
}

const PRESETS: Readonly<Record<FieldPreset, (value: string) => boolean>> = {
  any: () => true,
  digits: (value) => /^\d+$/.test(value),
  'letters-digits': (value) => /^[A-Za-z\d]+$/.test(value),
  chinese: (value) => /^\p{Script=Han}+(·\p{Script=Han}+)*$/u.test(value),
  'china-mobile': (value) => /^\+861[3-9]\d{9}$/.test(value),
  'resident-id': isResidentId,
}

export type FormatProblem = 'too-short' | 'too-long' | 'format'

/** What is wrong with the form of a value, as it would be stored. */
export function formatProblem(format: FieldFormat, value: string): FormatProblem | null {
  if (typeof format === 'string') return PRESETS[format](value) ? null : 'format'
  const { length } = [...value]
  if (length < format.minLength) return 'too-short'
  if (length > Math.min(format.maxLength, MAX_JUDGED_LENGTH)) return 'too-long'
  return format.pattern === '' || fitsPattern(format.pattern, value) ? null : 'format'
}
