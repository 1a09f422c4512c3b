import type { ImportField } from '#shared/contract/user-imports.ts'
import { canonicalLoginName } from '#shared/rules/login-name.ts'
import type { CellNote } from '../../platform/spreadsheet/read-sheet.ts'
import type { PersonInput } from '../users/index.ts'
import { type ImportWords, wordKey } from './import-words.ts'

/** What is wrong with a cell, or (`column` null) with a row: the key of a message, with its parameters. */
export type CellProblem = { column: number | null; key: string; params?: Record<string, string | number> }

type FileRow = { row: number; cells: string[]; notes: Record<number, CellNote> | null }

export type ReadRow = {
  row: number
  /** What could be read of the person; null without an account. */
  person: PersonInput | null
  /** Null: the file does not say. */
  roleIds: string[] | null
  problems: CellProblem[]
  /** What may stand in one row of the file only. */
  keys: string[]
}

export const MOST_CELL = 2000
/** What programs write for a sign that they could not read, and our reader for half of one. */
const LOST = '\ufffd'
/**
 * `<>`, the cell that takes a value away. No word and no dash: files are full of those where their makers knew nothing, and
 * nothing that anybody has looks like it.
 */
const CLEARING = /^\s*[<\uff1c]\s*[>\uff1e]\s*$/

/** Full-width letters, digits and spaces become what they stand for; the rest of a name stays as it is. */
const narrow = (text: string): string =>
  text
    .replace(/[\uff01-\uff5e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(/\s+/g, ' ')
    .trim()

const GENDERS: Record<string, 'male' | 'female' | 'unknown'> = {
  ...of('male', 'male m man 男 男性 1'),
  ...of('female', 'female f woman 女 女性 2'),
  ...of('unknown', 'unknown u 未知 未说明 未說明 保密 其他 0 9'),
}
const SWITCHES: Record<string, boolean> = {
  ...of(true, '1 true yes y on enabled active 是 启用 啟用 正常 有效 在用'),
  ...of(false, '0 false no n off disabled inactive 否 停用 禁用 无效 無效'),
}

/** A word of a file may be one that every object knows. */
const meaning = <T>(words: Record<string, T>, text: string): T | undefined =>
  Object.hasOwn(words, wordKey(text)) ? words[wordKey(text)] : undefined

function of<T>(value: T, words: string): Record<string, T> {
  return Object.fromEntries(words.split(' ').map((word) => [word, value]))
}

/** A day as people and programs write it, the year first; null for anything that could be read in two ways. */
function dayOf(text: string): string | null {
  const plain = text.normalize('NFKC').replace(/[ T]00:00(:00)?$/, '')
  const found =
    /^(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*日?$/.exec(plain) ?? /^(\d{4})(\d{2})(\d{2})$/.exec(plain)
  if (!found) return null
  const [, year = '', month = '', day = ''] = found
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const date = new Date(`${iso}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso) ? iso : null
}

/** A day without an hour begins, or ends, where the institution is. */
const HOME_OFFSET = '+08:00'
const HOME_OFFSET_MS = 8 * 3_600_000
const DAY_MS = 86_400_000

function momentOf(text: string, isEnd: boolean): string | null {
  const day = dayOf(text)
  if (day) return new Date(new Date(`${day}T00:00:00${HOME_OFFSET}`).getTime() + (isEnd ? DAY_MS : 0)).toISOString()
  const hour = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(?::\d{2})?)$/.exec(text.normalize('NFKC'))
  const date = new Date(hour ? `${hour[1]}T${hour[2]}${HOME_OFFSET}` : Number.NaN)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}

/** The way back: the day from which on, or at whose end; with the hour where it is no midnight. */
export function dayText(moment: Date, isEnd: boolean): string {
  const home = new Date(moment.getTime() + HOME_OFFSET_MS)
  const text = home.toISOString()
  if (!text.endsWith('T00:00:00.000Z')) return text.slice(0, 19).replace('T', ' ')
  return isEnd ? new Date(home.getTime() - DAY_MS).toISOString().slice(0, 10) : text.slice(0, 10)
}

/** A value that is fit to be saved, or the key of what is wrong with it. */
type Taken = { value: unknown } | { key: string; params?: Record<string, string | number> }

function oneOf(words: ImportWords, field: ImportField, text: string): Taken {
  const id = words[field]?.get(wordKey(text))
  if (id) return { value: id }
  return { key: id === null ? 'import-problem.ambiguous' : `import-problem.unknown-${field}`, params: { word: text } }
}

function manyOf(words: ImportWords, field: ImportField, text: string): Taken {
  const ids: unknown[] = []
  for (const word of text.split(/[;；、|\n]/).map((one) => one.trim())) {
    if (!word) continue
    const taken = oneOf(words, field, word)
    if ('key' in taken) return taken
    ids.push(taken.value)
  }
  return { value: [...new Set(ids)] }
}

const orFormat = (value: unknown, key = 'person-problem.format'): Taken =>
  value === null || value === undefined ? { key } : { value }

const plain = (text: string): Taken => ({ value: narrow(text) })
const code = (text: string): Taken => ({ value: text.normalize('NFKC').trim() })

type Reader = {
  to: keyof PersonInput | 'roleIds'
  take: (text: string, words: ImportWords) => Taken
  /** What stands for no value; absent: it must have one. */
  nothing?: unknown
}

const READERS: Record<ImportField, Reader> = {
  account: { to: 'account', take: code },
  name: { to: 'name', take: plain },
  nickname: { to: 'nickname', take: plain, nothing: null },
  gender: {
    to: 'gender',
    take: (text) => orFormat(meaning(GENDERS, text), 'import-problem.gender'),
    nothing: 'unknown',
  },
  birthday: { to: 'birthday', take: (text) => orFormat(dayOf(text), 'import-problem.date'), nothing: null },
  phone: { to: 'phone', take: code, nothing: null },
  mailbox: { to: 'mailbox', take: code, nothing: null },
  alias: { to: 'alias', take: code, nothing: null },
  idNumber: { to: 'idNumber', take: code, nothing: null },
  category: { to: 'categoryId', take: (text, words) => oneOf(words, 'category', text), nothing: null },
  personnelNature: {
    to: 'personnelNatureId',
    take: (text, words) => oneOf(words, 'personnelNature', text),
    nothing: null,
  },
  organization: { to: 'organizationId', take: (text, words) => oneOf(words, 'organization', text), nothing: null },
  secondaryOrganizations: {
    to: 'secondaryOrganizationIds',
    take: (text, words) => manyOf(words, 'secondaryOrganizations', text),
    nothing: [],
  },
  roles: { to: 'roleIds', take: (text, words) => manyOf(words, 'roles', text), nothing: [] },
  validFrom: {
    to: 'validFrom',
    take: (text) => orFormat(momentOf(text, false), 'import-problem.date'),
    nothing: null,
  },
  validUntil: {
    to: 'validUntil',
    take: (text) => orFormat(momentOf(text, true), 'import-problem.date'),
    nothing: null,
  },
  enabled: { to: 'enabled', take: (text) => orFormat(meaning(SWITCHES, text), 'import-problem.switch') },
}

/** The field of a saved person that a column fills, and back. */
export const fieldOfProblem = (personField: string): ImportField | undefined =>
  (Object.entries(READERS) as [ImportField, Reader][]).find(([, { to }]) => to === personField)?.[0]

const KEYED = ['account', 'alias', 'phone', 'mailbox'] as const

/** Reads a row of the file as a person. An empty cell says nothing: what is there stays; `<>` takes it away. */
export function readRow(file: FileRow, mapping: readonly (ImportField | null)[], words: ImportWords): ReadRow {
  const values: Record<string, unknown> = {}
  const problems: CellProblem[] = []
  for (const [column, field] of mapping.entries()) {
    if (!field) continue
    const text = file.cells[column] ?? ''
    const note = file.notes?.[column]
    const taken = takeCell(text, note, READERS[field], words)
    if (taken === null) continue
    if ('key' in taken) problems.push({ column, ...taken })
    else values[READERS[field].to] = taken.value
  }
  const { roleIds = null, ...person } = values as { roleIds?: string[] } & PersonInput
  const isSilent = !person.account && problems.every(({ column }) => mapping[column ?? -1] !== 'account')
  if (isSilent) problems.push({ column: mapping.indexOf('account'), key: 'person-problem.missing' })
  return { row: file.row, person: person.account ? person : null, roleIds, problems, keys: keysOf(person) }
}

function takeCell(text: string, note: CellNote | undefined, reader: Reader, words: ImportWords): Taken | null {
  if (note) return { key: `import-problem.${note}` }
  if (text === '') return null
  if (text.length > MOST_CELL) return { key: 'person-problem.too-long' }
  if (text.includes(LOST)) return { key: 'import-problem.lost' }
  if (CLEARING.test(text)) {
    return reader.nothing === undefined ? { key: 'import-problem.required' } : { value: reader.nothing }
  }
  return reader.take(text, words)
}

function keysOf(person: Partial<PersonInput>): string[] {
  const names = KEYED.flatMap((field) => person[field] ?? [])
  return [...new Set(names.map(canonicalLoginName))].filter(Boolean)
}
