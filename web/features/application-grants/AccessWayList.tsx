import { useTranslation } from 'react-i18next'
import type { AccessPath } from '#shared/contract/application-grants.ts'
import { formatDateTime } from '../../platform/format-time.ts'
import type { MessageKey } from '../../platform/i18n.ts'
import { GrantDates } from './GrantDates.tsx'

/** Every way by which somebody gets an application, with its dates and who granted it. */
export function AccessWayList({ ways }: { ways: readonly AccessPath[] }) {
  const { t, i18n } = useTranslation()
  const words = useAccessWayText()
  return (
    <ul className="access-ways">
      {ways.map((way) => (
        <li key={JSON.stringify(way)}>
          <span>{words(way)}</span>
          {way.kind !== 'whitelist' && <GrantDates {...way} />}
          {way.grantedAt && way.grantedBy && (
            <span className="muted">
              {t('access.way.by', { by: way.grantedBy, at: formatDateTime(new Date(way.grantedAt), i18n.language) })}
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

function messageKey({ kind, through, via }: AccessPath): MessageKey {
  if (kind === 'role')
    return `access.way.role-${through === 'organization' || through === 'category' ? through : 'user'}`
  if (kind !== 'organization') return `access.way.${kind}`
  if (through === 'secondary-organization') return 'access.way.organization-further'
  return via === null ? 'access.way.organization' : 'access.way.organization-via'
}

/** "Role Readers, by the department Computing". */
function useAccessWayText() {
  const { t } = useTranslation()
  return (way: AccessPath): string => {
    const above = t('access.way.above')
    return t(messageKey(way), { subject: way.subject ?? above, via: way.via ?? above })
  }
}
