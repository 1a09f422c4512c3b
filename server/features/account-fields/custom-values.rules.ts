import type { FieldRules } from '#shared/contract/account-fields.ts'
import { type CustomField, MAX_CUSTOM_TEXT } from '#shared/contract/custom-fields.ts'
import { type FormatProblem, formatProblem } from './field-format.rules.ts'

/** No invisible characters: two values that look alike would differ. */
const FORBIDDEN =
  /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/u
const FIRST_DAY = '1000-01-01'

/** Normalises an input, or says what its kind alone rules out; empty counts as null. */
export function readCustomValue(
  field: CustomField,
  text: string | null,
): { value: string | null } | { problem: 'characters' | 'too-long' | 'format' | 'unknown' } {
  const value = text?.normalize('NFC').trim() ?? ''
  if (value === '') return { value: null }
  if (FORBIDDEN.test(value)) return { problem: 'characters' }
  if (field.kind === 'date') return isDay(value) ? { value } : { problem: 'format' }
  if (field.kind === 'choice')
    return field.choices.some(({ code }) => code === value) ? { value } : { problem: 'unknown' }
  return [...value].length > MAX_CUSTOM_TEXT ? { problem: 'too-long' } : { value }
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < FIRST_DAY) return false
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

/** Why a field's rules refuse a normalised value; null if they accept it. */
export function customValueProblem(
  field: CustomField,
  value: string | null,
): 'missing' | 'not-offered' | FormatProblem | null {
  if (value === null) return field.required === 'always' ? 'missing' : null
  if (field.kind === 'choice')
    return field.choices.some(({ code, isOffered }) => code === value && isOffered) ? null : 'not-offered'
  return formatProblem(field.format, value)
}

type Rules = Pick<FieldRules, 'editableBy' | 'visibleTo'>
/** As for built-in fields. */
export const isEditableByAdministrators = ({ editableBy }: Rules): boolean =>
  editableBy === 'self' || editableBy === 'administrators'
export const isEditableByOwner = ({ editableBy, visibleTo }: Rules): boolean =>
  editableBy === 'self' && visibleTo === 'self'
