import { useTranslation } from 'react-i18next'
import type { ThirdPartyAccount } from '#shared/contract/third-party-accounts.ts'
import { SecurityRow } from '../../ui/SecurityRow.tsx'
import { Time } from '../../ui/Time.tsx'
import { useProviderName } from './account-queries.ts'

type Props = { account: ThirdPartyAccount; isBusy: boolean; onAct: () => void }

/** One provider: whether, as whom and since when it is linked, and its action. */
export function ProviderRow({ account, isBusy, onAct }: Props) {
  const { t } = useTranslation()
  const provider = useProviderName()(account)
  const { bound } = account
  return (
    <SecurityRow
      icon="globe"
      title={provider}
      value={bound ? <BoundAs account={account} bound={bound} /> : t('third-party-account.good-for', { provider })}
      isSet={bound !== null}
      stateText={t(bound ? 'third-party-account.bound' : 'third-party-account.not-bound')}
      verb={t(bound ? 'third-party-account.unbind' : 'third-party-account.bind')}
      verbLabel={t(bound ? 'third-party-account.unbind-provider' : 'third-party-account.bind-provider', { provider })}
      unavailable={bound?.isLastMethod ? t('third-party-account.last-method') : undefined}
      isBusy={isBusy}
      onAct={onAct}
    />
  )
}

type BoundProps = { account: ThirdPartyAccount; bound: NonNullable<ThirdPartyAccount['bound']> }

function BoundAs({ account, bound }: BoundProps) {
  const { t } = useTranslation()
  return (
    <>
      <strong>{bound.displayName}</strong> · {t('third-party-account.since')} <Time value={bound.boundAt} />
      {bound.lastUsedAt && (
        <>
          {' '}
          · {t('third-party-account.last-used')} <Time value={bound.lastUsedAt} ago />
        </>
      )}
      {!account.enabled && <> · {t('third-party-account.switched-off')}</>}
    </>
  )
}
