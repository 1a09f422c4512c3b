import { LANGUAGES } from '#shared/contract/endpoint.ts'
import type { ImportField } from '#shared/contract/user-imports.ts'
import type { Context } from '../../platform/platform.ts'
import { organizationsForImport, type VocabularyRow, vocabularyRows } from './import-words.store.ts'

/** What a word of the file stands for; null: for more than one thing. */
type Words = Map<string, string | null>

export type ImportWords = Partial<Record<ImportField, Words>>

/** Codes and names are compared without regard to width, case and spaces. */
export const wordKey = (word: string): string => word.normalize('NFKC').toLowerCase().replace(/\s+/g, '')

function add(words: Words, word: string, id: string): void {
  const key = wordKey(word)
  if (!key) return
  const known = words.get(key)
  words.set(key, known === undefined || known === id ? id : null)
}

/** A code wins over a name that reads the same. */
function wordsOf(rows: readonly VocabularyRow[]): Words {
  const names: Words = new Map()
  for (const { id, name, names: translated } of rows)
    for (const one of [name, ...Object.values(translated)]) add(names, one, id)
  for (const { id, code } of rows) names.set(wordKey(code), id)
  return names
}

type Organization = VocabularyRow & { parentId: string | null }

const MOST_LEVELS = 30

/** The names from an organisation's own up to the top, in one language. */
function namesUp(row: Organization, byId: ReadonlyMap<string, Organization>, language: string): string[] {
  const names: string[] = []
  let one: Organization | undefined = row
  while (one && names.length < MOST_LEVELS) {
    names.push(one.names[language] ?? one.name)
    one = one.parentId ? byId.get(one.parentId) : undefined
  }
  return names
}

/** By code, by a name that only one has, or by the names from any height down to it, with `/` between. */
function organizationWords(rows: readonly Organization[]): Words {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const words: Words = new Map()
  for (const row of rows) {
    for (const language of ['', ...LANGUAGES]) {
      let path = ''
      for (const name of namesUp(row, byId, language)) {
        path = path ? `${name}/${path}` : name
        add(words, path, row.id)
      }
    }
  }
  for (const { id, code } of rows) words.set(wordKey(code), id)
  return words
}

const VOCABULARIES = { category: 'user_categories', personnelNature: 'personnel_natures', roles: 'roles' } as const

/** What the columns of a run may name, in the scope of who imports: read once for all rows. */
export async function importWords(ctx: Context, fields: readonly ImportField[]): Promise<ImportWords> {
  const words: ImportWords = {}
  for (const [field, table] of Object.entries(VOCABULARIES) as [keyof typeof VOCABULARIES, string][]) {
    if (fields.includes(field)) words[field] = wordsOf(await vocabularyRows(ctx.db, table))
  }
  if (fields.includes('organization') || fields.includes('secondaryOrganizations')) {
    const organizations = organizationWords(await organizationsForImport(ctx))
    words.organization = organizations
    words.secondaryOrganizations = organizations
  }
  return words
}
