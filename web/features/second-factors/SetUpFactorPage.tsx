import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { logOut } from '../../platform/log-out.ts'
import { leaveFor } from '../../platform/login-address.ts'
import { updateUser } from '../../platform/session.ts'
import { Waiting } from '../../ui/PageSkeleton.tsx'
import { PAGE_TITLE, PageTitle } from '../../ui/PageTitle.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { AddPasskeyDialog } from './AddPasskeyDialog.tsx'
import { AppSetupDialog } from './AppSetupDialog.tsx'
import { RecoveryCodesDialog } from './RecoveryCodes.tsx'
import { factorsQuery, hasFactor } from './second-factors.ts'
import '../../ui/form-card.css'
import './two-step.css'

type Opened = 'app' | 'passkey' | { codes: string[] } | null

/** `/second-factor`: a rule asks for a second factor. Nothing else works before; the way out is to log out. */
export function SetUpFactorPage() {
  const factors = useQuery({ ...factorsQuery, staleTime: 0 })
  const [opened, setOpened] = useState<Opened>(null)
  const [isDone, setIsDone] = useState(false)
  const goOn = useGoOn()
  const { data } = factors
  const mustProve = data?.due === true && hasFactor(data)
  const isFree = data?.due === false && !isDone && opened === null
  useEffect(() => {
    // There is a factor already: the login asks for it and comes back here.
    if (mustProve) leaveFor('toLogin')
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
        <FactorKept onGoOn={goOn} />
        {opened && typeof opened === 'object' && (
          <RecoveryCodesDialog codes={opened.codes} onClose={() => setOpened(null)} />
        )}
      </>
    )
  }
  if (!data || mustProve || isFree) return <Waiting lines={5} />
  return (
    <>
      <Choice passkeys={data.passkeysAvailable} onChoose={setOpened} />
      {opened === 'app' && <AppSetupDialog onDone={added} onClose={() => setOpened(null)} />}
      {opened === 'passkey' && <AddPasskeyDialog onDone={added} onClose={() => setOpened(null)} />}
    </>
  )
}

/** On to the application that the person came for. The server decides whether it is one. */
function useGoOn(): () => void {
  const navigate = useNavigate()
  const { service } = useSearch({ strict: false }) as { service?: string }
  return useCallback(() => {
    updateUser({ secondFactorDue: '0' })
    if (service) location.assign(`/fwk_cas_service/login?service=${encodeURIComponent(service)}`)
    else void navigate({ to: '/my-apps', replace: true })
  }, [navigate, service])
}

function Choice({ passkeys, onChoose }: { passkeys: boolean; onChoose: (kind: 'app' | 'passkey') => void }) {
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

function FactorKept({ onGoOn }: { onGoOn: () => void }) {
  const { t } = useTranslation()
  // What had the focus is gone; the dialog of the recovery codes, if there is one, gives it back to here.
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
