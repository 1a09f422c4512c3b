import { queryClient } from '../../platform/queries.ts'

/** Prefix of the query keys that depend on the clients. */
export const CLIENTS_KEY = 'scim-clients'

export const refreshClients = (): Promise<void> => queryClient.invalidateQueries({ queryKey: [CLIENTS_KEY] })
