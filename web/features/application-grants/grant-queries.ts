import { queryClient } from '../../platform/queries.ts'

/** First parts of the query keys; every change of a grant invalidates them. */
export const GRANTS_KEY = 'grants'
export const SELECTABLE_KEY = 'selectable-applications'
export const AUTHORISED_KEY = 'authorised-applications'
export const ACCESS_KEY = 'access'

export const refreshGrants = () =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey: [key] }) =>
      [GRANTS_KEY, SELECTABLE_KEY, AUTHORISED_KEY, ACCESS_KEY, 'roles'].includes(String(key)),
  })
