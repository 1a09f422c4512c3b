import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { logOut } from '../../platform/log-out.ts'
import { redirectToLogin } from '../../platform/login-url.ts'
import { updateUser } from '../../platform/session.ts'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { PAGE_TITLE, PageTitle } from '../../ui/PageTitle.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { useContinue } from '../../ui/use-continue.ts'
import { AddPasskeyDialog } from './AddPasskeyDialog.tsx'
import { factorsQuery, hasFactor } from './factor-queries.ts'
import { RecoveryCodesDialog } from './RecoveryCodesDialog.tsx'
import { TotpSetupDialog } from './TotpSetupDialog.tsx'
import '../../ui/form-card.css'
import './two-step.css'

type SetUpState = 'app' | 'passkey' | { codes: string[] } | null

/** `/second-factor`: a rule requires a second factor. Nothing else works before, except logging out. */
export function SetUpFactorPage() {
  const factors = useQuery({ ...factorsQuery, staleTime: 0 })
  const [opened, setOpened] = useState<SetUpState>(null)
  const [isDone, setIsDone] = useState(false)
  const goOn = useFinishSetUp()
  const { data } = factors
  const mustProve = data?.due === true && hasFactor(data)
  const isFree = data?.due === false && !isDone && opened === null
  useEffect(() => {
    // There is a factor already: the login asks for it and returns here.
    if (mustProve) redirectToLogin('toLogin')
    if (isFree) goOn()
  }, [mustProve, isFree, goOn])
  const added = (codes: string[] | null) => {
    updateUser({ secondFactorDue: '0' })
    setIsDone(true)
    setOpened(codes && { codes })
  }
  if (factors.isError) return <FailedBlock error={factors.error} onRetry={() => void factors.refetch()} />
  if (isDone) {
    return (
      <>
        <FactorSavedCard onGoOn={goOn} />
        {opened && typeof opened === 'object' && (
          <RecoveryCodesDialog codes={opened.codes} onClose={() => setOpened(null)} />
        )}
      </>
    )
  }
  if (!data || mustProve || isFree) return <Skeleton lines={5} />
  return (
    <>
      <FactorChoice passkeys={data.passkeysAvailable} onChoose={setOpened} />
      {opened === 'app' && <TotpSetupDialog onDone={added} onClose={() => setOpened(null)} />}
      {opened === 'passkey' && <AddPasskeyDialog onDone={added} onClose={() => setOpened(null)} />}
    </>
  )
}

function useFinishSetUp(): () => void {
  const goOn = useContinue()
  return useCallback(() => {
    updateUser({ secondFactorDue: '0' })
    goOn()
  }, [goOn])
}

function FactorChoice({ passkeys, onChoose }: { passkeys: boolean; onChoose: (kind: 'app' | 'passkey') => void }) {
  const { t } = useTranslation()
  return (
    <div className="card form-card">
      <PageTitle>{t('two-step.due.title')}</PageTitle>
      <p>{t('two-step.due.why')}</p>
      <p className="muted">{t('two-step.app.text')}</p>
      <div className="form-actions">
        <button type="button" className="button button-primary" onClick={() => onChoose('app')}>
          {t('two-step.app.set-up')}
        </button>
      </div>
      {passkeys && (
        <>
          <p className="muted">{t('two-step.passkeys.text')}</p>
          <div className="form-actions">
            <button type="button" className="button" onClick={() => onChoose('passkey')}>
              {t('two-step.passkeys.add')}
            </button>
          </div>
        </>
      )}
      <div className="form-actions">
        <button type="button" className="button button-quiet" onClick={() => void logOut()}>
          {t('action.log-out')}
        </button>
      </div>
    </div>
  )
}

function FactorSavedCard({ onGoOn }: { onGoOn: () => void }) {
  const { t } = useTranslation()
  // The focused element is gone; a dialog of recovery codes, if any, returns the focus here.
  useEffect(() => document.getElementById(PAGE_TITLE)?.focus(), [])
  return (
    <div className="card form-card" role="status">
      <PageTitle>{t('two-step.due.done')}</PageTitle>
      <p className="muted">{t('two-step.due.done-text')}</p>
      <div className="form-actions">
        <button type="button" className="button button-primary" onClick={onGoOn}>
          {t('set-password.done.go-on')}
        </button>
      </div>
    </div>
  )
}
