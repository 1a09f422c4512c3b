import { queryClient } from '../../platform/queries.ts'

/** Prefix of the query keys that depend on the sources. */
export const SOURCES_KEY = 'data-sources'

export const refreshSources = (): Promise<void> => queryClient.invalidateQueries({ queryKey: [SOURCES_KEY] })
