import { queryClient } from '../../platform/queries.ts'

/** First part of the keys of everything that depends on the ranges. */
export const RANGES_KEY = 'ip-ranges'

export const refreshRanges = (): Promise<void> => queryClient.invalidateQueries({ queryKey: [RANGES_KEY] })
