import { useState } from 'react'
import type { SecondFactors } from '#shared/contract/second-factors.ts'
import { untilAnswered } from '../../platform/load-chunk.ts'
import { notifyFailure } from '../../platform/notify-failure.ts'
import { queryClient } from '../../platform/queries.ts'
import { ensureReauthentication } from '../../platform/reauthentication.ts'
import { usePageSignal } from '../../platform/use-page-signal.ts'
import { factorsQuery } from './factor-queries.ts'

type PasskeyRef = Pick<SecondFactors['passkeys'][number], 'id' | 'name'>

/** The dialog that is open. */
export type FactorDialog =
  | { kind: 'app' }
  | { kind: 'remove-app' }
  | { kind: 'passkey' }
  | { kind: 'rename-passkey'; passkey: PasskeyRef }
  | { kind: 'remove-passkey'; passkey: PasskeyRef }
  | { kind: 'renew-codes' }
  | { kind: 'codes'; codes: readonly string[] }
  | { kind: 'forget'; id: string; name: string }

const WITHOUT_REAUTHENTICATION: readonly FactorDialog['kind'][] = ['rename-passkey', 'forget', 'codes']

/** Reauthenticates before a dialog opens, so that no input is lost. */
export function useFactorDialog() {
  const signal = usePageSignal()
  const [opened, setOpened] = useState<FactorDialog | null>(null)
  const open = async (next: FactorDialog) => {
    try {
      const { insufficientMethods } = await untilAnswered(() => queryClient.ensureQueryData(factorsQuery), signal)
      if (WITHOUT_REAUTHENTICATION.includes(next.kind) || (await ensureReauthentication(signal, insufficientMethods)))
        setOpened(next)
    } catch (error) {
      if (!signal.aborted) notifyFailure(error)
    }
  }
  return { opened, setOpened, open: (next: FactorDialog) => void open(next) }
}
