import { queryClient } from '../../platform/queries.ts'

/** Prefix of the query keys that depend on the syncs. */
export const SYNCS_KEY = 'directory-syncs'

export const refreshSyncs = (): Promise<void> => queryClient.invalidateQueries({ queryKey: [SYNCS_KEY] })
