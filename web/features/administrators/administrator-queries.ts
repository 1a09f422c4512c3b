import { queryClient } from '../../platform/queries.ts'

export const ADMINISTRATORS_KEY = 'administrators'

export const refreshAdministrators = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: [ADMINISTRATORS_KEY] })
