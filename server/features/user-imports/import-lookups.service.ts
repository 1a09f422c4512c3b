import type { CustomField } from '#shared/contract/custom-fields.ts'
import { SHIPPED_LANGUAGES } from '#shared/contract/endpoint.ts'
import { customName } from '#shared/contract/field-rules.ts'
import type { ImportField } from '#shared/contract/user-imports.ts'
import type { Context } from '../../platform/platform.ts'
import { mapInSlices } from '../../platform/slices.ts'
import { customFields } from '../account-fields/index.ts'
import { listImportOrganizations, listReferenceRows, type ReferenceRow } from './import-lookups.store.ts'

/** The id for a word of the file; null: ambiguous. */
type LookupTable = Map<string, string | null>

export type ImportLookups = Partial<Record<ImportField, LookupTable>> & {
  /** Custom fields that the columns name. */
  custom?: readonly CustomField[]
}

/** Codes and names are compared ignoring width, case and spaces. */
export const normalizeWord = (word: string): string => word.normalize('NFKC').toLowerCase().replace(/\s+/g, '')

const addWord = (words: LookupTable, word: string, id: string): void => addNormalized(words, normalizeWord(word), id)

function addNormalized(words: LookupTable, key: string, id: string): void {
  if (!key) return
  const known = words.get(key)
  words.set(key, known === undefined || known === id ? id : null)
}

/** A code wins over an identical name. */
function toLookupTable(rows: readonly ReferenceRow[]): LookupTable {
  const names: LookupTable = new Map()
  for (const { id, name, names: translated } of rows)
    for (const one of [name, ...Object.values(translated)]) addWord(names, one, id)
  for (const { id, code } of rows) names.set(normalizeWord(code), id)
  return names
}

type Organization = ReferenceRow & { parentId: string | null }

const MAX_LEVELS = 30

/** Of a path of names every part is normalized alone, once: organisations share their ancestors. */
function pathWords(rows: readonly Organization[], language: string): (row: Organization) => string[] {
  const byId = new Map(
    rows.map(({ id, parentId, name, names }) => [id, { parentId, word: normalizeWord(names[language] ?? name) }]),
  )
  return ({ id }) => {
    const paths: string[] = []
    let one = byId.get(id)
    while (one && paths.length < MAX_LEVELS) {
      const path = paths.at(-1)
      paths.push(path === undefined ? one.word : `${one.word}/${path}`)
      one = one.parentId ? byId.get(one.parentId) : undefined
    }
    return paths
  }
}

/** By code, by a unique name, or by a path of names from any ancestor, separated by `/`. */
async function toOrganizationLookup(rows: readonly Organization[]): Promise<LookupTable> {
  const words: LookupTable = new Map()
  // A language in which no organisation has a name would add nothing.
  const languages = SHIPPED_LANGUAGES.filter((language) => rows.some(({ names }) => names[language] !== undefined))
  for (const language of ['', ...languages]) {
    const pathsOf = pathWords(rows, language)
    await mapInSlices(rows, (row) => {
      for (const path of pathsOf(row)) addNormalized(words, path, row.id)
    })
  }
  for (const { id, code } of rows) words.set(normalizeWord(code), id)
  return words
}

const REFERENCE_TABLES = { category: 'user_categories', personnelNature: 'personnel_natures', roles: 'roles' } as const

/**
 * The names that the columns of a run may contain: read once for all rows.
 * @param isEverywhere for a data source, which fills all organisations; otherwise in the importer's scope
 */
export async function loadImportLookups(
  ctx: Context,
  fields: readonly ImportField[],
  { isEverywhere = false } = {},
): Promise<ImportLookups> {
  const custom = (await customFields(ctx)).filter(({ key }) => fields.includes(customName(key)))
  const words: ImportLookups = { custom }
  for (const { key, kind, choices } of custom)
    if (kind === 'choice')
      words[customName(key)] = toLookupTable(choices.map(({ code, name, names }) => ({ id: code, code, name, names })))
  for (const [field, table] of Object.entries(REFERENCE_TABLES) as [keyof typeof REFERENCE_TABLES, string][]) {
    if (fields.includes(field)) words[field] = toLookupTable(await listReferenceRows(ctx.db, table))
  }
  if (fields.includes('organization') || fields.includes('secondaryOrganizations')) {
    const organizations = await toOrganizationLookup(await listImportOrganizations(ctx, isEverywhere))
    words.organization = organizations
    words.secondaryOrganizations = organizations
  }
  return words
}
