import { queryClient } from '../../platform/queries.ts'

/** First part of the keys of everything that depends on the ranges. */
export const RANGES_KEY = 'ip-ranges'

/** Everything that a saved range changes; what locked somebody out is told on top of the page. */
export async function refreshRanges(): Promise<void> {
  const keys = [[RANGES_KEY], ['unconfirmed-changes']]
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}
