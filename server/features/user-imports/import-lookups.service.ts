import type { CustomField } from '#shared/contract/custom-fields.ts'
import { SHIPPED_LANGUAGES } from '#shared/contract/endpoint.ts'
import { customName } from '#shared/contract/field-rules.ts'
import type { ImportField } from '#shared/contract/user-imports.ts'
import type { Context } from '../../platform/platform.ts'
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

function addWord(words: LookupTable, word: string, id: string): void {
  const key = normalizeWord(word)
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

/** The names from an organisation up to the root, in one language. */
function ancestorNames(row: Organization, byId: ReadonlyMap<string, Organization>, language: string): string[] {
  const names: string[] = []
  let one: Organization | undefined = row
  while (one && names.length < MAX_LEVELS) {
    names.push(one.names[language] ?? one.name)
    one = one.parentId ? byId.get(one.parentId) : undefined
  }
  return names
}

/** By code, by a unique name, or by a path of names from any ancestor, separated by `/`. */
function toOrganizationLookup(rows: readonly Organization[]): LookupTable {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const words: LookupTable = new Map()
  for (const row of rows) {
    for (const language of ['', ...SHIPPED_LANGUAGES]) {
      let path = ''
      for (const name of ancestorNames(row, byId, language)) {
        path = path ? `${name}/${path}` : name
        addWord(words, path, row.id)
      }
    }
  }
  for (const { id, code } of rows) words.set(normalizeWord(code), id)
  return words
}

const REFERENCE_TABLES = { category: 'user_categories', personnelNature: 'personnel_natures', roles: 'roles' } as const

/** The names that the columns of a run may contain, in the importer's scope: read once for all rows. */
export async function loadImportLookups(ctx: Context, fields: readonly ImportField[]): Promise<ImportLookups> {
  const custom = (await customFields(ctx)).filter(({ key }) => fields.includes(customName(key)))
  const words: ImportLookups = { custom }
  for (const { key, kind, choices } of custom)
    if (kind === 'choice')
      words[customName(key)] = toLookupTable(choices.map(({ code, name, names }) => ({ id: code, code, name, names })))
  for (const [field, table] of Object.entries(REFERENCE_TABLES) as [keyof typeof REFERENCE_TABLES, string][]) {
    if (fields.includes(field)) words[field] = toLookupTable(await listReferenceRows(ctx.db, table))
  }
  if (fields.includes('organization') || fields.includes('secondaryOrganizations')) {
    const organizations = toOrganizationLookup(await listImportOrganizations(ctx))
    words.organization = organizations
    words.secondaryOrganizations = organizations
  }
  return words
}
