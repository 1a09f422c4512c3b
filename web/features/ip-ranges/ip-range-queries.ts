import { queryClient } from '../../platform/queries.ts'

/** Prefix of the query keys that depend on the ranges. */
export const RANGES_KEY = 'ip-ranges'

/** Refreshes what depends on the ranges, including the notice about unconfirmed changes. */
export async function refreshRanges(): Promise<void> {
  const keys = [[RANGES_KEY], ['unconfirmed-changes']]
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}
