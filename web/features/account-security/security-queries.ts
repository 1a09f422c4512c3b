import { type QueryClient, useMutation } from '@tanstack/react-query'
import { type AccountSecurity, queryAccountSecurity } from '#shared/contract/account-security.ts'
import { call } from '../../platform/api.ts'
import { notify } from '../../platform/notices.ts'
import { queryClient } from '../../platform/queries.ts'
import { withReauthentication } from '../../platform/reauthentication.ts'
import { isRefusal } from '../../platform/refusal.ts'
import { useGone } from '../../ui/left-request.ts'

const SECURITY_KEY = ['account-security']
/** Used by the home page too. */
export const ADVICE_KEY = [...SECURITY_KEY, 'advice']

export const securityQuery = {
  queryKey: SECURITY_KEY,
  queryFn: ({ signal }: { signal: AbortSignal }) => call(queryAccountSecurity, {}, { signal }),
  // Other pages change the person's row as well; an outdated version would make the first change here fail.
  staleTime: 0,
}

export const refreshSecurity = (client: QueryClient = queryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: SECURITY_KEY })

type SecurityChange<Input> = {
  make: (input: Input) => Promise<AccountSecurity>
  /** The notice shown when done. */
  done: string
  onDone: () => void
}

/** A change on this page: reauthenticates if needed, shows a notice, and reloads the row. */
export function useSecurityChange<Input = void>({ make, done, onDone }: SecurityChange<Input>) {
  const gone = useGone()
  return useMutation({
    mutationFn: (input: Input) => withReauthentication(() => make(input)),
    onSuccess: (security) => {
      queryClient.setQueryData(SECURITY_KEY, security)
      queryClient.setQueryData(ADVICE_KEY, security)
      notify('well', done)
      onDone()
    },
    onError: async (error) => {
      if (gone.current && isRefusal(error)) notify('danger', error.message)
      // The next attempt uses the version saved by the other window; it can't begin before that is loaded.
      if (isRefusal(error, 'version.conflict')) await refreshSecurity()
    },
  })
}
