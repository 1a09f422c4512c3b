import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AccountSecurity } from '#shared/contract/account-security.ts'
import { Icon } from '../../ui/Icon.tsx'
import { type Advice, adviceFor } from './advice.ts'

type Props = { security: AccountSecurity; onAct: (advice: Advice) => void; more: ReactNode }

/** The single most useful next action; when there is none, that all is well. */
export function AdviceBanner({ security, onAct, more }: Props) {
  const { t } = useTranslation()
  const advice = adviceFor(security)
  if (advice) {
    return (
      <div className="banner advice">
        <p>
          <strong>{t(`set-account.advice.${advice}`)}</strong>
          <span className="muted">{t(`set-account.advice.${advice}.why`)}</span>
        </p>
        <button type="button" className="button button-quiet" onClick={() => onAct(advice)}>
          {t(`set-account.advice.${advice}.do`)}
        </button>
      </div>
    )
  }
  return (
    more ?? (
      <div className="banner advice advice-well">
        <Icon name="safety-certificate" />
        <p>{t('set-account.advice.none')}</p>
      </div>
    )
  )
}
