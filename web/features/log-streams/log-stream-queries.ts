import { queryClient } from '../../platform/queries.ts'

/** First part of the keys of everything that depends on the streams. */
export const STREAMS_KEY = 'log-streams'

export const refreshStreams = (): Promise<void> => queryClient.invalidateQueries({ queryKey: [STREAMS_KEY] })
