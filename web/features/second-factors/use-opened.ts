import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SecondFactors } from '#shared/contract/second-factors.ts'
import { freshProof } from '../../platform/fresh-proof.ts'
import { notify } from '../../platform/notices.ts'
import { isRefusal } from '../../platform/refusal.ts'

type OnePasskey = Pick<SecondFactors['passkeys'][number], 'id' | 'name'>

/** What stands before the page. */
export type Opened =
  | { kind: 'app' }
  | { kind: 'remove-app' }
  | { kind: 'passkey' }
  | { kind: 'rename-passkey'; passkey: OnePasskey }
  | { kind: 'remove-passkey'; passkey: OnePasskey }
  | { kind: 'renew-codes' }
  | { kind: 'codes'; codes: readonly string[] }
  | { kind: 'forget'; id: string; name: string }

const NEEDS_NO_PROOF: readonly Opened['kind'][] = ['rename-passkey', 'forget', 'codes']

/** Whoever changes a factor proves first who they are, so that nobody types for nothing. */
export function useOpened() {
  const { t } = useTranslation()
  const [opened, setOpened] = useState<Opened | null>(null)
  const open = async (next: Opened) => {
    try {
      if (NEEDS_NO_PROOF.includes(next.kind) || (await freshProof())) setOpened(next)
    } catch (error) {
      notify('danger', isRefusal(error) ? error.message : t('network.unreachable'))
    }
  }
  return { opened, setOpened, open: (next: Opened) => void open(next) }
}
