import { queryClient } from '../../platform/queries.ts'

/** First part of the keys of everything that depends on the sources. */
export const SOURCES_KEY = 'data-sources'

export const refreshSources = (): Promise<void> => queryClient.invalidateQueries({ queryKey: [SOURCES_KEY] })
