import type { Problems } from './bootstrap-problems.errors.ts'

type Kind = 'organization' | 'category' | 'personnelType' | 'role' | 'applicationCategory' | 'user'

const KIND_LABELS: Record<Kind, string> = {
  organization: 'organisation with the code',
  category: 'user category with the code',
  personnelType: 'personnel type with the code',
  role: 'role with the code',
  applicationCategory: 'application category with the code',
  user: 'person with the account',
}

type References = {
  /** The id for a code; null and undefined are returned unchanged. */
  one(kind: Kind, code: string | null | undefined, path: string): string | null | undefined
  /** The ids for codes, sorted, without duplicates. */
  many(kind: Kind, codes: readonly string[] | undefined, path: string): string[] | undefined
}

/** Everything that a code can refer to, in the database or in the document. */
export type ReferenceDirectory = { resolver(problems: Problems): References }

export function createReferenceDirectory(ids: Record<Kind, ReadonlyMap<string, string>>): ReferenceDirectory {
  return {
    resolver(problems) {
      const find = (kind: Kind, code: string, path: string) => {
        const id = ids[kind].get(code)
        if (id === undefined) problems.add(path, `no ${KIND_LABELS[kind]} "${code}"`)
        return id
      }
      return {
        one: (kind, code, path) => (code === null || code === undefined ? code : find(kind, code, path)),
        many(kind, codes, path) {
          const found = codes?.map((code, at) => find(kind, code, `${path}[${at}]`))
          return found && [...new Set(found.filter((id) => id !== undefined))].sort()
        },
      }
    },
  }
}
