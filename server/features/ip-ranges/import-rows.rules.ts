import { SHIPPED_LANGUAGES } from '#shared/contract/endpoint.ts'
import { RANGE_KINDS } from '#shared/contract/ip-ranges.ts'
import { EntryName } from '#shared/contract/organizations.ts'
import { splitNetworks } from '#shared/rules/split-networks.ts'
import type { SheetRow } from '../../platform/spreadsheet/read-sheet.ts'
import type { Translator } from '../../platform/translate.ts'
import type { RangeInput } from './ip-ranges.store.ts'

const COLUMNS = ['name', 'kind', 'networks', 'note', 'enabled'] as const
type Column = (typeof COLUMNS)[number]
const REQUIRED: readonly Column[] = ['name', 'kind', 'networks']

/** Index of each column. */
export type Mapping = Partial<Record<Column, number>>

const plain = (text: string): string => text.normalize('NFKC').trim().toLowerCase()

/** Is it one of our words: its identifier, or its text in any language? */
const isWord = (translate: Translator, text: string, name: string, key: string): boolean =>
  [name, ...SHIPPED_LANGUAGES.map((language) => translate(language, key))].some((one) => plain(one) === plain(text))

/** By the headings. @returns null if a required column is missing */
export function readHeadings(translate: Translator, headings: readonly string[]): Mapping | null {
  const mapping: Mapping = {}
  for (const column of COLUMNS) {
    const at = headings.findIndex((heading) => isWord(translate, heading, column, `ip-range.${column}`))
    if (at >= 0) mapping[column] = at
  }
  return REQUIRED.every((column) => mapping[column] !== undefined) ? mapping : null
}

/** The content of a row; a missing column leaves the value unchanged. */
export type RowInput = Pick<RangeInput, 'name' | 'kind' | 'networks'> & Partial<Pick<RangeInput, 'note' | 'enabled'>>

const MAX_NOTE = 500

const readFlag = (translate: Translator, text: string): boolean | null => {
  if (text === '' || isWord(translate, text, '1', 'ip-range.state.on') || plain(text) === 'true') return true
  return isWord(translate, text, '0', 'ip-range.state.off') || plain(text) === 'false' ? false : null
}

/** @returns the column that can't be parsed, or the content of the row */
export function readRow(
  translate: Translator,
  mapping: Mapping,
  { cells, notes }: SheetRow,
): { bad: Column } | { range: RowInput } {
  const text = (column: Column) => cells[mapping[column] ?? -1] ?? ''
  const computed = COLUMNS.find((column) => notes?.[mapping[column] ?? -1])
  if (computed) return { bad: computed }
  const name = EntryName.safeParse(text('name'))
  if (!name.success) return { bad: 'name' }
  const kind = RANGE_KINDS.find((one) => isWord(translate, text('kind'), one, `ip-range.kind.${one}`))
  if (!kind) return { bad: 'kind' }
  const note = text('note')
  if (note.length > MAX_NOTE) return { bad: 'note' }
  const enabled = readFlag(translate, text('enabled'))
  if (enabled === null) return { bad: 'enabled' }
  const networks = splitNetworks(text('networks'))
  if (networks.length === 0) return { bad: 'networks' }
  return {
    range: {
      name: name.data,
      kind,
      networks,
      ...(mapping.note !== undefined && { note }),
      ...(mapping.enabled !== undefined && { enabled }),
    },
  }
}
