import { queryClient } from '../../platform/queries.ts'

/** Prefix of the query keys that depend on the ranges. */
export const RANGES_KEY = 'ip-ranges'

/** Refreshes what depends on the ranges: rules that name them, their history, the notice about unconfirmed changes. */
export async function refreshRanges(): Promise<void> {
  const keys = [[RANGES_KEY], ['access-rules'], ['changes'], ['unconfirmed-changes']]
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}
