import { queryOptions } from '@tanstack/react-query'
import { listUnconfirmedChanges } from '#shared/contract/unconfirmed-changes.ts'
import { call } from '../../platform/api.ts'

/** While one is waiting, somebody else may confirm it, and it is reverted when its time is up. */
const WAITING_MS = 10_000

export const unconfirmedQuery = () =>
  queryOptions({
    queryKey: ['unconfirmed-changes'],
    queryFn: ({ signal }) => call(listUnconfirmedChanges, {}, { signal, background: true }),
    staleTime: WAITING_MS,
    refetchInterval: ({ state }) => (state.data?.records.some(({ outcome }) => outcome === null) ? WAITING_MS : false),
  })
