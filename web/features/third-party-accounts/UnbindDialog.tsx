import { useTranslation } from 'react-i18next'
import { type ThirdPartyAccount, unbindThirdPartyAccount } from '#shared/contract/third-party-accounts.ts'
import { call } from '../../platform/api.ts'
import { notify } from '../../platform/notices.ts'
import { withReauthentication } from '../../platform/reauthentication.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { refreshAccounts, useProviderName } from './account-queries.ts'

type Props = { account: ThirdPartyAccount; onClose: () => void }

/** Says what will stop working, and that the account at the other system stays. */
export function UnbindDialog({ account, onClose }: Props) {
  const { t } = useTranslation()
  const provider = useProviderName()(account)
  const name = account.bound?.displayName ?? ''
  const unbind = async () => {
    const query = { provider: account.provider }
    try {
      await withReauthentication(() => call(unbindThirdPartyAccount, { query }))
      notify('well', t('third-party-account.unbound'))
    } finally {
      void refreshAccounts()
    }
  }
  return (
    <ConfirmDialog
      title={t('third-party-account.unbind-title', { provider, name })}
      verb={t('third-party-account.unbind')}
      onConfirm={unbind}
      onClose={onClose}
    >
      <p>{t('third-party-account.unbind-text', { provider })}</p>
    </ConfirmDialog>
  )
}
