import { useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../ui/Icon.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { backToLogin } from './service.ts'
import '../../ui/form-card.css'
import './password-recovery.css'

/** `/forgot-password-success`: what has changed, and one way on. Nobody is logged in by a recovery. */
export function RecoveredPage() {
  const { t } = useTranslation()
  const { service } = useSearch({ strict: false }) as { service?: string }
  return (
    <div className="card form-card" role="status">
      <PageTitle>{t('recovered.title')}</PageTitle>
      <ul className="recovered">
        {(['password', 'logins', 'notice'] as const).map((one) => (
          <li key={one}>
            <Icon name="check" />
            {t(`recovered.${one}`)}
          </li>
        ))}
      </ul>
      <p className="muted">{t('recovered.locked')}</p>
      <div className="form-actions">
        <a className="button button-primary" href={backToLogin(service)}>
          {t('action.log-in')}
        </a>
      </div>
    </div>
  )
}
