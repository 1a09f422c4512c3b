import { useLocation, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../ui/Icon.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { returnToLoginUrl } from './return-to-login.ts'
import '../../ui/form-card.css'
import './password-recovery.css'

/** `/forgot-password-success`: what changed, and a link to continue. A recovery logs nobody in. */
export function RecoveredPage() {
  const { t } = useTranslation()
  const { service } = useSearch({ strict: false }) as { service?: string }
  const ended = useLocation({ select: ({ state }) => state.recovered?.ended }) ?? 0
  const lines = [
    t('recovered.password'),
    ...(ended > 0 ? [t('recovered.logins', { count: ended })] : []),
    t('recovered.notice'),
  ]
  return (
    <div className="card form-card" role="status">
      <PageTitle>{t('recovered.title')}</PageTitle>
      <ul className="recovered">
        {lines.map((line) => (
          <li key={line}>
            <Icon name="check" />
            {line}
          </li>
        ))}
      </ul>
      <p className="muted">{t('recovered.locked')}</p>
      <div className="form-actions">
        <a className="button button-primary" href={returnToLoginUrl(service)}>
          {t('action.log-in')}
        </a>
      </div>
    </div>
  )
}
