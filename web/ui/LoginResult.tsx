import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { translateOr } from '../platform/i18n.ts'
import { Icon, type IconName } from './Icon.tsx'
import './login-result.css'

type Outcome = 'succeeded' | 'challenge' | 'failed'

const SIGNS: Readonly<Record<Outcome, { icon: IconName; tone: string }>> = {
  succeeded: { icon: 'check', tone: 'well' },
  challenge: { icon: 'warning', tone: 'caution' },
  failed: { icon: 'close', tone: 'danger' },
}

type Props = { succeeded: boolean; reason: string | null; children?: ReactNode }

/** The result of a login, never by colour alone: an icon and a word, after a refusal also the cause. */
export function LoginResult({ succeeded, reason, children }: Props) {
  const { t } = useTranslation()
  // The password was correct: it failed at a later step.
  const isChallenged = !succeeded && (reason?.startsWith('second-factor.') ?? false)
  const outcome: Outcome = succeeded ? 'succeeded' : isChallenged ? 'challenge' : 'failed'
  const { icon, tone } = SIGNS[outcome]
  return (
    <span className="login-result">
      <span className={`result result-${tone}`}>
        <Icon name={icon} />
        {t(`records.result.${outcome}`)}
      </span>
      {reason && <span className="muted">{translateOr(`login-reason.${reason}`, 'login-reason.unknown')}</span>}
      {children}
    </span>
  )
}
