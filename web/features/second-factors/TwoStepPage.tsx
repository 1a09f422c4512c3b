import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Waiting } from '../../ui/PageSkeleton.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { AppSection } from './AppSection.tsx'
import { OpenedDialog } from './OpenedDialog.tsx'
import { PasskeySection } from './PasskeySection.tsx'
import { factorsQuery } from './second-factors.ts'
import { TrustedSection } from './TrustedSection.tsx'
import { useOpened } from './use-opened.ts'
import '../../ui/security-list.css'
import '../../ui/form-card.css'
import './two-step.css'

/** What protects my account besides the password. */
export function TwoStepPage() {
  const { t } = useTranslation()
  const factors = useQuery(factorsQuery)
  const { opened, setOpened, open } = useOpened()
  return (
    <div className="page two-step">
      <header>
        <PageTitle>{t('two-step.title')}</PageTitle>
        <p className="muted">{t('two-step.explain')}</p>
      </header>
      {factors.isError && <FailedBlock error={factors.error} onRetry={() => void factors.refetch()} />}
      {factors.isPending && <Waiting lines={6} />}
      {factors.data && (
        <>
          {factors.data.demanded && <p className="banner">{t('two-step.demanded')}</p>}
          <AppSection factors={factors.data} open={open} />
          <PasskeySection factors={factors.data} open={open} />
          <TrustedSection factors={factors.data} open={open} />
        </>
      )}
      <OpenedDialog opened={opened} setOpened={setOpened} />
    </div>
  )
}
