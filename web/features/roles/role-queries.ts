import { queryClient } from '../../platform/queries.ts'

/** First parts of the query keys. */
export const ROLES_KEY = 'roles'
export const MEMBERS_KEY = 'role-members'
export const PERSON_ROLES_KEY = 'person-roles'

export const refreshRoles = () =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey: [key] }) => [ROLES_KEY, MEMBERS_KEY, PERSON_ROLES_KEY, 'access'].includes(String(key)),
  })
