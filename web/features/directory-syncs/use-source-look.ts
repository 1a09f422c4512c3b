import { useQuery } from '@tanstack/react-query'
import {
  dataSources,
  hasCursor,
  isCursorColumn,
  isFileSource,
  type SourceTest,
  testDataSource,
} from '#shared/contract/data-sources.ts'
import { call } from '../../platform/api.ts'
import { failureText } from '../../platform/failure-text.ts'
import { useSourceTableLabel } from '../../ui/use-source-table-label.ts'

export type SourceLook = {
  needsTable: boolean
  /** It can report changed rows. */
  reportsChanges: boolean
  tables: readonly { value: string; label: string }[]
  columns: SourceTest['columns']
  /** The columns that can tell which rows have changed. */
  cursorColumns: SourceTest['columns']
  samples: SourceTest['rows']
  /** Why it can't be read, in words. */
  problem: string | null
}

/** All data sources. */
export const sourcesQuery = {
  queryKey: ['data-sources', 'all'],
  queryFn: ({ signal }: { signal: AbortSignal }) => call(dataSources.list, { query: { pageSize: 1000 } }, { signal }),
}

/** All data sources, by name. */
export const useSources = () => useQuery(sourcesQuery).data?.records ?? []

/** The tables of a source, and the columns and masked samples of the selected one. */
export function useSourceLook(sourceId: string, table: string): SourceLook {
  const tableLabel = useSourceTableLabel()
  const source = useSources().find(({ id }) => id === sourceId)
  const look = useQuery({
    queryKey: ['data-source-test', sourceId, source?.version, table],
    queryFn: ({ signal }) => {
      if (!source) throw new Error('no source is chosen')
      const { name, kind, host, port, database, user, password, tls, ca, timeoutSeconds, options, note } = source
      const fields = { name, kind, host, port, database, user, password, tls, ca, timeoutSeconds, options, note }
      return call(testDataSource, { body: { ...fields, id: source.id, table } }, { signal })
    },
    enabled: source !== undefined,
    retry: false,
    staleTime: 60_000,
  })
  const columns = look.data?.columns ?? []
  const tables = look.data?.tables ?? (table ? [table] : [])
  return {
    needsTable: source !== undefined && !isFileSource(source.kind),
    reportsChanges: source !== undefined && hasCursor(source.kind),
    tables: tables.map((value) => ({ value, label: source ? tableLabel(source.kind, value) : value })),
    columns,
    cursorColumns: source ? columns.filter(({ name }) => isCursorColumn(source.kind, name)) : [],
    samples: look.data?.rows ?? [],
    problem: look.data?.message ?? failureText(look.error) ?? null,
  }
}
