import { type FieldFormat, type FieldPreset, MAX_JUDGED_LENGTH } from '#shared/contract/field-rules.ts'
import { isResidentId } from '#shared/rules/resident-id.ts'
import { compilePattern } from '../../platform/pattern.ts'

/** Recently compiled patterns: an import checks thousands of rows against the same few. */
const compiled = new Map<string, ReturnType<typeof compilePattern>>()
const MAX_COMPILED = 100

function fitsPattern(pattern: string, value: string): boolean {
  if (!compiled.has(pattern)) {
    if (compiled.size >= MAX_COMPILED) compiled.clear()
    compiled.set(pattern, compilePattern(pattern))
  }
  // A stored pattern that no longer compiles accepts everything: otherwise nobody could enter a value.
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

/** Why a format refuses a value as it would be stored; null if it fits. */
export function formatProblem(format: FieldFormat, value: string): FormatProblem | null {
  if (typeof format === 'string') return PRESETS[format](value) ? null : 'format'
  const { length } = [...value]
  if (length < format.minLength) return 'too-short'
  if (length > Math.min(format.maxLength, MAX_JUDGED_LENGTH)) return 'too-long'
  return format.pattern === '' || fitsPattern(format.pattern, value) ? null : 'format'
}
