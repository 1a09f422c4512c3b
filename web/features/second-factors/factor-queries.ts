import { useMutation } from '@tanstack/react-query'
import { querySecondFactors, type SecondFactors } from '#shared/contract/second-factors.ts'
import { call } from '../../platform/api.ts'
import { notify } from '../../platform/notices.ts'
import { queryClient } from '../../platform/queries.ts'
import { withReauthentication } from '../../platform/reauthentication.ts'
import { isRefusal } from '../../platform/refusal.ts'
import { useGone } from '../../ui/left-request.ts'

const FACTORS_KEY = ['second-factors']

export const factorsQuery = {
  queryKey: FACTORS_KEY,
  queryFn: ({ signal }: { signal: AbortSignal }) => call(querySecondFactors, {}, { signal }),
}

export const refreshFactors = (): Promise<void> => queryClient.invalidateQueries({ queryKey: FACTORS_KEY })

/** Has this person a usable second factor? */
export const hasFactor = ({ totp, passkeys, passkeysAvailable }: SecondFactors): boolean =>
  totp !== null || (passkeysAvailable && passkeys.length > 0)

type FactorChange<Input, Output> = {
  make: (input: Input) => Promise<Output>
  /** The notice shown when done; absent: the next step says it. */
  done?: string
  onDone?: (output: Output) => void
}

/** A change of second factors: reauthenticates if needed, then reloads the page's data. */
export function useFactorChange<Input = void, Output = unknown>({ make, done, onDone }: FactorChange<Input, Output>) {
  const gone = useGone()
  return useMutation({
    mutationFn: (input: Input) => withReauthentication(() => make(input)),
    onSuccess: async (output) => {
      if (done) notify('well', done)
      onDone?.(output)
      await refreshFactors()
    },
    onError: (error) => {
      if (gone.current && isRefusal(error)) notify('danger', error.message)
    },
  })
}
