import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Consent, listMyConsents, withdrawConsent } from '#shared/contract/consents.ts'
import { consentWord } from '#shared/rules/consent-word.ts'
import { call } from '../../platform/api.ts'
import { notify } from '../../platform/notices.ts'
import { queryClient } from '../../platform/queries.ts'
import { AppIcon } from '../../ui/AppIcon.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { FailedBlock, StateBlock } from '../../ui/StateBlock.tsx'
import { Time } from '../../ui/Time.tsx'
import './allowed-applications.css'

const CONSENTS_KEY = ['my-consents']

/** The applications that I gave consent to, and how to revoke it. */
export function AllowedApplicationsPage() {
  const { t } = useTranslation()
  const [ending, setEnding] = useState<Consent | null>(null)
  const list = useQuery({
    queryKey: CONSENTS_KEY,
    queryFn: ({ signal }) => call(listMyConsents, { query: {} }, { signal }),
  })
  return (
    <div className="page allowed-applications">
      <header>
        <PageTitle>{t('allowed-applications.title')}</PageTitle>
        <p className="muted">{t('allowed-applications.explain')}</p>
      </header>
      {list.isError && <FailedBlock error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Skeleton lines={3} />}
      {list.data?.total === 0 && (
        <StateBlock title={t('allowed-applications.none.title')} text={t('allowed-applications.none.text')} />
      )}
      {list.data && list.data.total > 0 && (
        <ul className="allowed-list" aria-label={t('allowed-applications.title')}>
          {list.data.records.map((consent) => (
            <li key={consent.appId}>
              <ConsentRow consent={consent} onEnd={() => setEnding(consent)} />
            </li>
          ))}
        </ul>
      )}
      {ending && <WithdrawDialog consent={ending} onClose={() => setEnding(null)} />}
    </div>
  )
}

function ConsentRow({ consent, onEnd }: { consent: Consent; onEnd: () => void }) {
  const { t } = useTranslation()
  const words = (learned: string) =>
    t(
      `consent.${learned.startsWith('attribute.') ? '' : 'scope.'}${consentWord(learned)}` as 'consent.attribute.custom',
      {
        key: learned.split('.').at(-1) ?? '',
      },
    )
  return (
    <article className="card allowed-card" aria-label={consent.name}>
      <AppIcon app={consent} />
      <div className="allowed-facts">
        <h2>{consent.name}</h2>
        <p>
          {t('allowed-applications.learns')}{' '}
          {new Intl.ListFormat(document.documentElement.lang, { type: 'unit' }).format(consent.scopes.map(words))}
        </p>
        <p className="muted">
          {t('allowed-applications.since')} <Time value={consent.givenAt} />
        </p>
      </div>
      <button
        type="button"
        className="button"
        onClick={onEnd}
        aria-label={t('allowed-applications.withdraw-from', { application: consent.name })}
      >
        {t('allowed-applications.withdraw')}
      </button>
    </article>
  )
}

function WithdrawDialog({ consent, onClose }: { consent: Consent; onClose: () => void }) {
  const { t } = useTranslation()
  const withdraw = useMutation({
    mutationFn: () => call(withdrawConsent, { body: { appId: consent.appId } }),
    onSuccess: () => notify('well', t('allowed-applications.withdrawn', { application: consent.name })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: CONSENTS_KEY }),
  })
  return (
    <ConfirmDialog
      title={t('allowed-applications.confirm.title', { application: consent.name })}
      verb={t('allowed-applications.withdraw')}
      onConfirm={() => withdraw.mutateAsync()}
      onClose={onClose}
    >
      <p>{t('allowed-applications.confirm.text', { application: consent.name })}</p>
    </ConfirmDialog>
  )
}
