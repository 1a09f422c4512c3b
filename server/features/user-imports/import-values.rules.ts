import { type CustomFieldName, customName, isCustomName } from '#shared/contract/field-rules.ts'
import type { ImportField, ProductImportField } from '#shared/contract/user-imports.ts'
import { DAY_MS, HOUR_MS } from '#shared/rules/durations.ts'
import { canonicalLoginName } from '#shared/rules/login-name.ts'
import type { CellNote } from '../../platform/spreadsheet/read-sheet.ts'
import type { PersonInput } from '../people-save/index.ts'
import { type ImportLookups, normalizeWord } from './import-lookups.service.ts'

/** A problem of a cell, or (`column` null) of a row: the key of a message, with its parameters. */
export type CellProblem = { column: number | null; key: string; params?: Record<string, string | number> }

type FileRow = { row: number; cells: string[]; notes: Record<number, CellNote> | null }

export type ReadRow = {
  row: number
  /** What could be read of the person; null without an account. */
  person: PersonInput | null
  /** Null: not in the file. */
  roleIds: string[] | null
  problems: CellProblem[]
  /** Values that may occur in only one row of the file. */
  keys: string[]
}

export const MAX_CELL_CHARACTERS = 2000
/** What programs write for a character they could not decode, and our reader for half a surrogate pair. */
const REPLACEMENT_CHARACTER = '\ufffd'
/** `<>`, the cell that clears a value. Not a word or a dash: files use those for unknown values, and no real value looks like it. */
const CLEAR_PATTERN = /^\s*[<\uff1c]\s*[>\uff1e]\s*$/

/** Converts full-width letters, digits and spaces; the rest of a name is unchanged. */
const toHalfWidth = (text: string): string =>
  text
    .replace(/[\uff01-\uff5e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(/\s+/g, ' ')
    .trim()

const GENDER_WORDS: Record<string, 'male' | 'female' | 'unknown'> = {
  ...toWordTable('male', 'male m man 男 男性 1'),
  ...toWordTable('female', 'female f woman 女 女性 2'),
  ...toWordTable('unknown', 'unknown u 未知 未说明 未說明 保密 其他 0 9'),
}
const BOOLEAN_WORDS: Record<string, boolean> = {
  ...toWordTable(true, '1 true yes y on enabled active 是 启用 啟用 正常 有效 在用'),
  ...toWordTable(false, '0 false no n off disabled inactive 否 停用 禁用 无效 無效'),
}

/** Ignores words like `constructor` that every object has as properties. */
const lookUpWord = <T>(words: Record<string, T>, text: string): T | undefined =>
  Object.hasOwn(words, normalizeWord(text)) ? words[normalizeWord(text)] : undefined

function toWordTable<T>(value: T, words: string): Record<string, T> {
  return Object.fromEntries(words.split(' ').map((word) => [word, value]))
}

/** A day as people and programs write it, year first; null for anything ambiguous. */
function parseDay(text: string): string | null {
  const plain = text.normalize('NFKC').replace(/[ T]00:00(:00)?$/, '')
  const found =
    /^(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*日?$/.exec(plain) ?? /^(\d{4})(\d{2})(\d{2})$/.exec(plain)
  if (!found) return null
  const [, year = '', month = '', day = ''] = found
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const date = new Date(`${iso}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso) ? iso : null
}

/** A day without a time begins and ends in the institution's time zone. */
const HOME_OFFSET = '+08:00'
const HOME_OFFSET_MS = 8 * HOUR_MS

function parseMoment(text: string, isEnd: boolean): string | null {
  const day = parseDay(text)
  if (day) return new Date(new Date(`${day}T00:00:00${HOME_OFFSET}`).getTime() + (isEnd ? DAY_MS : 0)).toISOString()
  const hour = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(?::\d{2})?)$/.exec(text.normalize('NFKC'))
  const date = new Date(hour ? `${hour[1]}T${hour[2]}${HOME_OFFSET}` : Number.NaN)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}

/** The reverse: the day of the start, or of an inclusive end; with the time if it is not midnight. */
export function formatDay(moment: Date, isEnd: boolean): string {
  const home = new Date(moment.getTime() + HOME_OFFSET_MS)
  const text = home.toISOString()
  if (!text.endsWith('T00:00:00.000Z')) return text.slice(0, 19).replace('T', ' ')
  return isEnd ? new Date(home.getTime() - DAY_MS).toISOString().slice(0, 10) : text.slice(0, 10)
}

/** A valid value, or the message key of its problem. */
type CellResult = { value: unknown } | { key: string; params?: Record<string, string | number> }

function parseReference(words: ImportLookups, field: ImportField, text: string): CellResult {
  const id = words[field]?.get(normalizeWord(text))
  if (id) return { value: id }
  return { key: id === null ? 'import-problem.ambiguous' : `import-problem.unknown-${field}`, params: { word: text } }
}

function parseReferences(words: ImportLookups, field: ImportField, text: string): CellResult {
  const ids: unknown[] = []
  for (const word of text.split(/[;；、|\n]/).map((one) => one.trim())) {
    if (!word) continue
    const result = parseReference(words, field, word)
    if ('key' in result) return result
    ids.push(result.value)
  }
  return { value: [...new Set(ids)] }
}

const valueOrProblem = (value: unknown, key = 'person-problem.format'): CellResult =>
  value === null || value === undefined ? { key } : { value }

const parseText = (text: string): CellResult => ({ value: toHalfWidth(text) })
const parseCode = (text: string): CellResult => ({ value: text.normalize('NFKC').trim() })

type CellReader = {
  field: keyof PersonInput | 'roleIds'
  parse: (text: string, words: ImportLookups) => CellResult
  /** The value of an empty cell; absent: it must not be empty. */
  emptyValue?: unknown
}

const CELL_READERS: Record<ProductImportField, CellReader> = {
  account: { field: 'account', parse: parseCode },
  name: { field: 'name', parse: parseText },
  nickname: { field: 'nickname', parse: parseText, emptyValue: null },
  gender: {
    field: 'gender',
    parse: (text) => valueOrProblem(lookUpWord(GENDER_WORDS, text), 'import-problem.gender'),
    emptyValue: 'unknown',
  },
  birthday: {
    field: 'birthday',
    parse: (text) => valueOrProblem(parseDay(text), 'import-problem.date'),
    emptyValue: null,
  },
  phone: { field: 'phone', parse: parseCode, emptyValue: null },
  mailbox: { field: 'mailbox', parse: parseCode, emptyValue: null },
  alias: { field: 'alias', parse: parseCode, emptyValue: null },
  idNumber: { field: 'idNumber', parse: parseCode, emptyValue: null },
  category: { field: 'categoryId', parse: (text, words) => parseReference(words, 'category', text), emptyValue: null },
  personnelType: {
    field: 'personnelTypeId',
    parse: (text, words) => parseReference(words, 'personnelType', text),
    emptyValue: null,
  },
  organization: {
    field: 'organizationId',
    parse: (text, words) => parseReference(words, 'organization', text),
    emptyValue: null,
  },
  secondaryOrganizations: {
    field: 'secondaryOrganizationIds',
    parse: (text, words) => parseReferences(words, 'secondaryOrganizations', text),
    emptyValue: [],
  },
  roles: { field: 'roleIds', parse: (text, words) => parseReferences(words, 'roles', text), emptyValue: [] },
  validFrom: {
    field: 'validFrom',
    parse: (text) => valueOrProblem(parseMoment(text, false), 'import-problem.date'),
    emptyValue: null,
  },
  validUntil: {
    field: 'validUntil',
    parse: (text) => valueOrProblem(parseMoment(text, true), 'import-problem.date'),
    emptyValue: null,
  },
  enabled: {
    field: 'enabled',
    parse: (text) => valueOrProblem(lookUpWord(BOOLEAN_WORDS, text), 'import-problem.switch'),
  },
}

/** A cell of a custom field; saving validates the value. */
const customReader = (field: CustomFieldName, words: ImportLookups): CellReader => ({
  field,
  emptyValue: null,
  parse(text) {
    const kind = words.custom?.find(({ key }) => customName(key) === field)?.kind
    if (kind === 'date') return valueOrProblem(parseDay(text), 'import-problem.date')
    if (kind !== 'choice') return parseText(text)
    const code = words[field]?.get(normalizeWord(text))
    return code ? { value: code } : { key: 'import-problem.unknown-choice', params: { word: text } }
  },
})

const readerOf = (field: ImportField, words: ImportLookups): CellReader =>
  isCustomName(field) ? customReader(field, words) : CELL_READERS[field]

/** The import field of a person field. */
export const importFieldOf = (personField: string): ImportField | undefined =>
  isCustomName(personField) ? personField : productFieldOf(personField)

const productFieldOf = (personField: string): ImportField | undefined =>
  (Object.entries(CELL_READERS) as [ImportField, CellReader][]).find(([, { field }]) => field === personField)?.[0]

const KEY_FIELDS = ['account', 'alias', 'phone', 'mailbox'] as const

/** Reads a row of the file as a person. An empty cell leaves the value unchanged; `<>` clears it. */
export function readRow(file: FileRow, mapping: readonly (ImportField | null)[], words: ImportLookups): ReadRow {
  const values: Record<string, unknown> = {}
  const problems: CellProblem[] = []
  for (const [column, field] of mapping.entries()) {
    if (!field) continue
    const text = file.cells[column] ?? ''
    const note = file.notes?.[column]
    const reader = readerOf(field, words)
    const result = parseCell(text, note, reader, words)
    if (result === null) continue
    if ('key' in result) problems.push({ column, ...result })
    else values[reader.field] = result.value
  }
  const { roleIds = null, ...person } = values as { roleIds?: string[] } & PersonInput
  const isSilent = !person.account && problems.every(({ column }) => mapping[column ?? -1] !== 'account')
  if (isSilent) problems.push({ column: mapping.indexOf('account'), key: 'person-problem.missing' })
  return { row: file.row, person: person.account ? person : null, roleIds, problems, keys: toRowKeys(person) }
}

function parseCell(
  text: string,
  note: CellNote | undefined,
  reader: CellReader,
  words: ImportLookups,
): CellResult | null {
  if (note) return { key: `import-problem.${note}` }
  if (text === '') return null
  if (text.length > MAX_CELL_CHARACTERS) return { key: 'person-problem.too-long' }
  if (text.includes(REPLACEMENT_CHARACTER)) return { key: 'import-problem.lost' }
  if (CLEAR_PATTERN.test(text)) {
    return reader.emptyValue === undefined ? { key: 'import-problem.required' } : { value: reader.emptyValue }
  }
  return reader.parse(text, words)
}

function toRowKeys(person: Partial<PersonInput>): string[] {
  const names = KEY_FIELDS.flatMap((field) => person[field] ?? [])
  return [...new Set(names.map(canonicalLoginName))].filter(Boolean)
}
