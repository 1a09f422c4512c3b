import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SecondFactors } from '#shared/contract/second-factors.ts'
import { ensureFreshProof } from '../../platform/fresh-proof.ts'
import { untilAnswered } from '../../platform/load-chunk.ts'
import { notify } from '../../platform/notices.ts'
import { queryClient } from '../../platform/queries.ts'
import { isRefusal } from '../../platform/refusal.ts'
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

const WITHOUT_PROOF: readonly FactorDialog['kind'][] = ['rename-passkey', 'forget', 'codes']

/** Reauthenticates before a dialog opens, so that no input is lost. */
export function useFactorDialog() {
  const { t } = useTranslation()
  const signal = usePageSignal()
  const [opened, setOpened] = useState<FactorDialog | null>(null)
  const open = async (next: FactorDialog) => {
    try {
      const { insufficientProofs } = await untilAnswered(() => queryClient.ensureQueryData(factorsQuery), signal)
      if (WITHOUT_PROOF.includes(next.kind) || (await ensureFreshProof(signal, insufficientProofs))) setOpened(next)
    } catch (error) {
      if (!signal.aborted) notify('danger', isRefusal(error) ? error.message : t('network.unreachable'))
    }
  }
  return { opened, setOpened, open: (next: FactorDialog) => void open(next) }
}
