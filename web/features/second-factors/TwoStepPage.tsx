import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { FactorDialogs } from './FactorDialogs.tsx'
import { factorsQuery } from './factor-queries.ts'
import { PasskeySection } from './PasskeySection.tsx'
import { RecoveryCodesSection } from './RecoveryCodesSection.tsx'
import { TotpSection } from './TotpSection.tsx'
import { TrustedBrowsersSection } from './TrustedBrowsersSection.tsx'
import { useFactorDialog } from './use-factor-dialog.ts'
import '../../ui/security-list.css'
import '../../ui/form-card.css'
import './two-step.css'

/** What protects my account besides the password. */
export function TwoStepPage() {
  const { t } = useTranslation()
  const factors = useQuery(factorsQuery)
  const { opened, setOpened, open } = useFactorDialog()
  return (
    <div className="page two-step">
      <header>
        <PageTitle>{t('two-step.title')}</PageTitle>
        <p className="muted">{t('two-step.explain')}</p>
      </header>
      {factors.isError && <FailedBlock error={factors.error} onRetry={() => void factors.refetch()} />}
      {factors.isPending && <Skeleton lines={6} />}
      {factors.data && (
        <>
          {factors.data.demanded && <p className="banner">{t('two-step.demanded')}</p>}
          <TotpSection factors={factors.data} open={open} />
          <PasskeySection factors={factors.data} open={open} />
          <RecoveryCodesSection factors={factors.data} open={open} />
          <TrustedBrowsersSection factors={factors.data} open={open} />
        </>
      )}
      <FactorDialogs opened={opened} setOpened={setOpened} />
    </div>
  )
}
