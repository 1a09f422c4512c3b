import type { Endpoint, Language } from '#shared/contract/endpoint.ts'
import type { Platform } from '../../platform/platform.ts'

/** A call of the contract that can be granted to applications. */
export type CatalogueEntry = { apiId: string; apiComment: string; apiPath: string; apiMethod: 'GET' | 'POST' }

const PREFIX = '/auth_service'

/** Derived from what is mounted: a call for applications is in the catalogue automatically. */
export function catalogueOf(
  { translate }: Platform,
  endpoints: readonly Endpoint[],
  language: Language,
): Map<string, CatalogueEntry> {
  const entries = endpoints.flatMap(({ apiId, path, method }) => {
    if (!apiId) return []
    return [{ apiId, apiComment: translate(language, `interface.${apiId}`), apiPath: PREFIX + path, apiMethod: method }]
  })
  return new Map(entries.map((entry) => [entry.apiId, entry]))
}

type CatalogueQuery = {
  pageIndex: number
  pageSize: number
  search: string
  sort: string
  apiMethod?: string | undefined
}

/** A page of at most a few dozen entries, which are in memory. */
export function pageOfEntries<T extends CatalogueEntry>(entries: readonly T[], wanted: CatalogueQuery) {
  const search = wanted.search.normalize('NFKC').toLowerCase()
  const key = wanted.sort.replace('-', '') === 'apiPath' ? 'apiPath' : 'apiId'
  const sign = wanted.sort.startsWith('-') ? -1 : 1
  const found = entries
    .filter(({ apiMethod }) => !wanted.apiMethod || apiMethod === wanted.apiMethod)
    .filter(({ apiId, apiPath, apiComment }) => `${apiId} ${apiPath} ${apiComment}`.toLowerCase().includes(search))
    .toSorted((a, b) => (a[key] < b[key] ? -sign : sign))
  const from = (wanted.pageIndex - 1) * wanted.pageSize
  return { records: found.slice(from, from + wanted.pageSize), total: found.length }
}
