import { queryClient } from '../../platform/queries.ts'

/** First part of the keys of everything that depends on the clients. */
export const CLIENTS_KEY = 'scim-clients'

export const refreshClients = (): Promise<void> => queryClient.invalidateQueries({ queryKey: [CLIENTS_KEY] })
