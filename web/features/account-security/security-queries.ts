import { type QueryClient, useMutation } from '@tanstack/react-query'
import { type AccountSecurity, queryAccountSecurity } from '#shared/contract/account-security.ts'
import { call } from '../../platform/api.ts'
import { withFreshProof } from '../../platform/fresh-proof.ts'
import { notify } from '../../platform/notices.ts'
import { queryClient } from '../../platform/queries.ts'
import { isRefusal } from '../../platform/refusal.ts'

const SECURITY_KEY = ['account-security']
/** What the first page of the portal goes by. */
export const ADVICE_KEY = [...SECURITY_KEY, 'advice']

export const securityQuery = {
  queryKey: SECURITY_KEY,
  queryFn: ({ signal }: { signal: AbortSignal }) => call(queryAccountSecurity, {}, { signal }),
  // Other pages change the person's row too: a version from before would refuse the first change made here.
  staleTime: 0,
}

export const refreshSecurity = (client: QueryClient = queryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: SECURITY_KEY })

type SecurityChange<Input> = {
  make: (input: Input) => Promise<AccountSecurity>
  /** Said when it is done. */
  done: string
  onDone: () => void
}

/** A change of this page: proof first where it is missing, then a line about what was done, and the row as it is now. */
export function useSecurityChange<Input = void>({ make, done, onDone }: SecurityChange<Input>) {
  return useMutation({
    mutationFn: (input: Input) => withFreshProof(() => make(input)),
    onSuccess: (security) => {
      queryClient.setQueryData(SECURITY_KEY, security)
      queryClient.setQueryData(ADVICE_KEY, security)
      notify('well', done)
      onDone()
    },
    onError: (error) => {
      // So that the next try goes by what another window has made of it.
      if (isRefusal(error, 'version.conflict')) void refreshSecurity()
    },
  })
}
