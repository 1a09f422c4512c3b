import { useQuery } from '@tanstack/react-query'
import { isColumnOf, queryTable, saveTable, TABLES, type TableChoices, type TableKey } from '#shared/contract/tables.ts'
import { call } from '../platform/api.ts'
import { queryClient } from '../platform/queries.ts'

const keyOf = (tableKey: TableKey | undefined) => ['table-choices', tableKey]

export type Density = TableChoices['density']

/** The person's view of a list: `isPending` while loading, the default view on failure. */
export function useTableChoices(tableKey: TableKey | undefined) {
  const { data, isPending } = useQuery({
    queryKey: keyOf(tableKey),
    queryFn: ({ signal }) =>
      tableKey === undefined ? null : call(queryTable, { query: { tableKey } }, { signal, background: true }),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: tableKey !== undefined,
    retry: false,
  })
  return {
    isPending: tableKey !== undefined && isPending,
    columns: data?.columns ?? null,
    density: data?.density ?? 'comfortable',
  }
}

/** Saves the choice; the list changes immediately. */
export async function saveTableChoices(tableKey: TableKey, columns: string[], density: Density): Promise<void> {
  const fixed: readonly string[] = TABLES[tableKey]
  const inOrder = [
    ...fixed.filter((name) => columns.includes(name)),
    ...columns.filter((name) => !fixed.includes(name) && isColumnOf(tableKey, name)),
  ]
  await call(saveTable, { body: { tableKey, columns: inOrder, density } })
  queryClient.setQueryData(keyOf(tableKey), { tableKey, columns: inOrder, density })
}
