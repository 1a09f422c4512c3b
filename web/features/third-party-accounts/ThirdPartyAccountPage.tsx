import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { bindThirdPartyAccount, type ThirdPartyAccount } from '#shared/contract/third-party-accounts.ts'
import { call } from '../../platform/api.ts'
import { untilAnswered } from '../../platform/load-chunk.ts'
import { notifyFailure } from '../../platform/notify-failure.ts'
import { ensureReauthentication, withReauthentication } from '../../platform/reauthentication.ts'
import { usePageSignal } from '../../platform/use-page-signal.ts'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { FailedBlock, StateBlock } from '../../ui/StateBlock.tsx'
import { accountsQuery } from './account-queries.ts'
import { PendingBinding } from './PendingBinding.tsx'
import { ProviderRow } from './ProviderRow.tsx'
import { UnbindDialog } from './UnbindDialog.tsx'
import './third-party-account.css'

/** The linked accounts that a person may log in with. */
export function ThirdPartyAccountPage() {
  const { t } = useTranslation()
  const list = useQuery(accountsQuery)
  const { busy, unbinding, act, close } = useProviderActions()
  return (
    <div className="page third-party">
      <header>
        <PageTitle>{t('third-party-account.title')}</PageTitle>
        <p className="muted">{t('third-party-account.explain')}</p>
      </header>
      <PendingBinding />
      {list.isError && <FailedBlock error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Skeleton lines={3} />}
      {list.data?.records.length === 0 && (
        <StateBlock title={t('third-party-account.none.title')} text={t('third-party-account.none.text')} />
      )}
      {list.data && list.data.records.length > 0 && (
        <ul className="card security-list" aria-label={t('third-party-account.title')}>
          {list.data.records.map((account) => (
            <ProviderRow
              key={account.provider}
              account={account}
              isBusy={busy === account.provider}
              onAct={() => act(account)}
            />
          ))}
        </ul>
      )}
      {unbinding && <UnbindDialog account={unbinding} onClose={close} />}
    </div>
  )
}

/** Both actions reauthenticate first: linking then goes to the provider, unlinking asks for confirmation. */
function useProviderActions() {
  const signal = usePageSignal()
  const [unbinding, setUnbinding] = useState<ThirdPartyAccount | null>(null)
  const acting = useMutation({
    mutationFn: async (account: ThirdPartyAccount) => {
      if (account.bound) {
        if (await ensureReauthentication(signal)) setUnbinding(account)
        return null
      }
      const query = { provider: account.provider }
      return await withReauthentication(
        () => untilAnswered(() => call(bindThirdPartyAccount, { query }), signal),
        signal,
      )
    },
    onSuccess: (begun) => {
      if (begun && !signal.aborted) location.assign(begun.redirectUrl)
    },
    onError: (error) => {
      if (!signal.aborted) notifyFailure(error)
    },
  })
  return {
    busy: acting.isPending ? acting.variables.provider : null,
    unbinding,
    act: (account: ThirdPartyAccount) => {
      if (!acting.isPending) acting.mutate(account)
    },
    close: () => setUnbinding(null),
  }
}
