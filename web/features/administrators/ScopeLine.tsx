import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { administrationQuery } from '../../platform/queries.ts'
import { isSuperUser } from '../../platform/session.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Time } from '../../ui/Time.tsx'
import './administrators.css'

/** Shows an administrator of some organisations their scope and permissions; renders nothing for super users. */
export function ScopeLine() {
  const { t } = useTranslation()
  const { data } = useQuery(administrationQuery())
  if (!data || isSuperUser(data) || data.places.length === 0) return null
  return (
    <ul className="scope" aria-label={t('administrator.scope')}>
      {data.places.map(({ organizationId, organization, permissions, validUntil }) => (
        <li key={organizationId}>
          <Icon name="manage" />
          <strong>{organization}</strong>
          <span>
            {[t('permission.look'), ...permissions.map((permission) => t(`permission.${permission}`))].join(
              t('list.separator'),
            )}
          </span>
          {validUntil && (
            <span className="muted">
              {t('administrator.valid-until')} <Time value={validUntil} />
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}
