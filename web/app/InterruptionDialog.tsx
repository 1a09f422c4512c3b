import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Interruption, useInterruption } from '../platform/interruption.ts'
import { closeOffline, tryLostPartsAgain } from '../platform/load-chunk.ts'
import { logOut } from '../platform/log-out.ts'
import { redirectToLogin } from '../platform/login-url.ts'
import { sessionUser } from '../platform/session.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { LeaveButton } from '../ui/LeaveButton.tsx'
import { RequestNumber } from '../ui/RequestNumber.tsx'
import { staySignedIn } from './stay-signed-in.ts'

/** The dialogs that the specification names, and the few others that block a page. */
export function InterruptionDialog() {
  const interruption = useInterruption()
  return interruption && <InterruptionContent key={interruption.kind} interruption={interruption} />
}

function InterruptionContent({ interruption }: { interruption: Interruption }) {
  const { t } = useTranslation()
  switch (interruption.kind) {
    case 'refused':
      return <RefusedDialog {...interruption} />
    case 'expired':
      return (
        <Dialog hidesPage title={t('prompt.expired.title')} actions={<LogOutButton />}>
          <p>{t('prompt.expired')}</p>
        </Dialog>
      )
    case 'idle':
      return (
        <Dialog hidesPage title={t('idle.title')} actions={<LogOutButton />}>
          <p>{t('idle.text')}</p>
        </Dialog>
      )
    case 'idle-soon':
      return <IdleWarning endsAt={interruption.endsAt} />
    case 'left':
      return (
        <Dialog
          hidesPage
          title={t('prompt.left.title')}
          actions={<PrimaryButton onClick={logInAgain}>{t('action.log-in')}</PrimaryButton>}
        >
          <p>{t('prompt.left.text')}</p>
        </Dialog>
      )
    case 'ended-for-newer':
      return (
        <Dialog
          hidesPage
          title={t('prompt.ended-for-newer.title')}
          actions={<PrimaryButton onClick={logInAgain}>{t('action.log-in')}</PrimaryButton>}
        >
          <p>{t('prompt.ended-for-newer.text')}</p>
        </Dialog>
      )
    case 'broken':
      return (
        <Dialog
          title={t('prompt.broken.title')}
          actions={<PrimaryButton onClick={() => location.reload()}>{t('action.reload')}</PrimaryButton>}
        >
          <p>{t('prompt.broken.text')}</p>
        </Dialog>
      )
    case 'offline':
      return <OfflineDialog />
  }
}

/** The page behind stays; the failed request is repeated as soon as the server answers again. */
function OfflineDialog() {
  const { t } = useTranslation()
  const [state, setState] = useState<'asked' | 'trying' | 'failed'>('asked')
  const isTrying = useRef(false)
  const tryAgain = async () => {
    if (isTrying.current) return
    isTrying.current = true
    setState('trying')
    if (await tryLostPartsAgain()) return
    isTrying.current = false
    setState('failed')
  }
  return (
    <Dialog
      title={t('prompt.offline.title')}
      onClose={closeOffline}
      actions={
        <>
          <LeaveButton verb="close" onLeave={closeOffline} />
          <PrimaryButton onClick={() => void tryAgain()}>
            {t(state === 'trying' ? 'prompt.offline.trying' : 'action.retry')}
          </PrimaryButton>
        </>
      }
    >
      <p>{t('prompt.offline.text')}</p>
      <p role="status">{state === 'failed' && t('prompt.offline.still')}</p>
    </Dialog>
  )
}

/** This tab's state ended with the logout in the other tab; a session that exists by now belongs to a new login. */
function logInAgain(): void {
  redirectToLogin('toLoginUrl')
}

function RefusedDialog({ message, requestId }: { message: string; requestId: string | undefined }) {
  const { t } = useTranslation()
  const name = sessionUser()?.name
  return (
    <Dialog title={t('prompt.title')} actions={<LogOutButton />}>
      <p>{message}</p>
      {name && <p className="muted">{t('prompt.signed-in-as', { name })}</p>}
      {requestId && <RequestNumber id={requestId} />}
    </Dialog>
  )
}

function IdleWarning({ endsAt }: { endsAt: number }) {
  const { t } = useTranslation()
  const [seconds, setSeconds] = useState(() => secondsUntil(endsAt))
  useEffect(() => {
    const timer = setInterval(() => setSeconds(secondsUntil(endsAt)), 1000)
    return () => clearInterval(timer)
  }, [endsAt])
  return (
    <Dialog
      title={t('idle-soon.title')}
      onClose={staySignedIn}
      actions={
        <>
          <LogOutButton plain />
          <PrimaryButton onClick={staySignedIn}>{t('idle-soon.stay')}</PrimaryButton>
        </>
      }
    >
      <p className="tabular">{t('idle-soon.text', { count: seconds, seconds })}</p>
    </Dialog>
  )
}

const secondsUntil = (time: number): number => Math.max(0, Math.ceil((time - Date.now()) / 1000))

function LogOutButton({ plain = false }: { plain?: boolean }) {
  const { t } = useTranslation()
  const [leaving, setLeaving] = useState(false)
  const leave = () => {
    setLeaving(true)
    void logOut()
  }
  return (
    <button
      type="button"
      className={plain ? 'button' : 'button button-primary'}
      data-first-focus={plain ? undefined : true}
      disabled={leaving}
      onClick={leave}
    >
      {t(leaving ? 'shell.logging-out' : 'action.log-out')}
    </button>
  )
}

function PrimaryButton({ children, onClick }: { children: ReactNode; onClick: () => void }) {
  return (
    <button type="button" className="button button-primary" data-first-focus onClick={onClick}>
      {children}
    </button>
  )
}
