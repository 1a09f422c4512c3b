import { queryClient } from '../../platform/queries.ts'

/** First part of the keys of everything that depends on the syncs. */
export const SYNCS_KEY = 'directory-syncs'

export const refreshSyncs = (): Promise<void> => queryClient.invalidateQueries({ queryKey: [SYNCS_KEY] })
