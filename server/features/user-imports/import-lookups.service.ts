import type { CustomField } from '#shared/contract/custom-fields.ts'
import { SHIPPED_LANGUAGES } from '#shared/contract/endpoint.ts'
import { customName } from '#shared/contract/field-rules.ts'
import type { ImportField } from '#shared/contract/user-imports.ts'
import type { Context } from '../../platform/platform.ts'
import { eachInSlices } from '../../platform/slices.ts'
import { customFields } from '../account-fields/index.ts'
import { listImportOrganizations, listReferenceRows, type ReferenceRow } from './import-lookups.store.ts'

/** The id for a word of the file; null: ambiguous. */
type LookupTable = {
  get(word: string): string | null | undefined
  set(word: string, id: string | null): unknown
}

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
  const names = new Map<string, string | null>()
  for (const { id, name, names: translated } of rows)
    for (const one of [name, ...Object.values(translated)]) addWord(names, one, id)
  for (const { id, code } of rows) names.set(normalizeWord(code), id)
  return names
}

type Organization = ReferenceRow & { parentId: string | null }

const MAX_LEVELS = 30

/** An organisation by the names of one language, normalized once: others share it as an ancestor. */
type Named = { id: string; word: string; parent: Named | null }

/** The organisations by their own name in one language. */
async function namesIn(rows: readonly Organization[], language: string): Promise<Map<string, Named[]>> {
  const byId = new Map<string, Named>()
  const byWord = new Map<string, Named[]>()
  await eachInSlices(rows, ({ id, name, names }) => {
    const one = { id, word: normalizeWord(names[language] ?? name), parent: null }
    byId.set(id, one)
    const same = byWord.get(one.word)
    if (same) same.push(one)
    else byWord.set(one.word, [one])
  })
  await eachInSlices(rows, ({ id, parentId }) => {
    const one = byId.get(id)
    if (one && parentId) one.parent = byId.get(parentId) ?? null
  })
  return byWord
}

/** Is this path of names one from any ancestor down to the organisation? */
function isPathOf(path: string, organization: Named): boolean {
  let one: Named | null = organization
  let end = path.length
  for (let level = 0; one && level < MAX_LEVELS; level += 1) {
    const { word }: Named = one
    if (!path.endsWith(word, end)) return false
    end -= word.length
    if (end === 0) return true
    if (path[end - 1] !== '/') return false
    end -= 1
    one = one.parent
  }
  return false
}

/** The last names that a path can end with: a name may contain the separator too. */
const endsOf = (path: string): string[] => [
  path,
  ...[...path.matchAll(/\//g)].map(({ index }) => path.slice(index + 1)),
]

/**
 * By code, by a unique name, or by a path of names from any ancestor, separated by `/`. A path is compared when somebody asks for it: all of
 * them would be several times as much as the organisations themselves.
 */
async function toOrganizationLookup(rows: readonly Organization[]): Promise<LookupTable> {
  // A language in which no organisation has a name would add nothing.
  const languages = SHIPPED_LANGUAGES.filter((language) => rows.some(({ names }) => names[language] !== undefined))
  const tables: Map<string, Named[]>[] = []
  for (const language of ['', ...languages]) tables.push(await namesIn(rows, language))
  const known = new Map<string, string | null>()
  await eachInSlices(rows, ({ id, code }) => void known.set(normalizeWord(code), id))
  const search = (path: string): string | null | undefined => {
    const ids = new Set(
      endsOf(path).flatMap((word) =>
        tables.flatMap((table) => (table.get(word) ?? []).filter((one) => isPathOf(path, one)).map(({ id }) => id)),
      ),
    )
    return ids.size > 1 ? null : ids.values().next().value
  }
  return {
    get(word) {
      const id = known.get(word)
      if (id !== undefined) return id
      const found = search(word)
      if (found !== undefined) known.set(word, found)
      return found
    },
    set: (word, id) => known.set(word, id),
  }
}

const REFERENCE_TABLES = { category: 'user_categories', personnelType: 'personnel_types', roles: 'roles' } as const

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
