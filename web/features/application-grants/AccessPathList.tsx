import { useTranslation } from 'react-i18next'
import type { AccessPath } from '#shared/contract/application-grants.ts'
import { formatDateTime } from '../../platform/format-time.ts'
import type { MessageKey } from '../../platform/i18n.ts'
import { GrantDates } from './GrantDates.tsx'

/** Every path by which somebody gets an application, with its dates and who granted it. */
export function AccessPathList({ paths }: { paths: readonly AccessPath[] }) {
  const { t, i18n } = useTranslation()
  const words = useAccessPathText()
  return (
    <ul className="access-paths">
      {paths.map((path) => (
        <li key={JSON.stringify(path)}>
          <span>{words(path)}</span>
          {path.kind !== 'whitelist' && <GrantDates {...path} />}
          {path.grantedAt && path.grantedBy && (
            <span className="muted">
              {t('access.path.by', { by: path.grantedBy, at: formatDateTime(new Date(path.grantedAt), i18n.language) })}
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

function messageKey({ kind, through, via }: AccessPath): MessageKey {
  if (kind === 'role')
    return `access.path.role-${through === 'organization' || through === 'category' ? through : 'user'}`
  if (kind !== 'organization') return `access.path.${kind}`
  if (through === 'secondary-organization') return 'access.path.organization-further'
  return via === null ? 'access.path.organization' : 'access.path.organization-via'
}

/** "Role Readers, by the department Computing". */
function useAccessPathText() {
  const { t } = useTranslation()
  return (path: AccessPath): string => {
    const above = t('access.path.above')
    return t(messageKey(path), { subject: path.subject ?? above, via: path.via ?? above })
  }
}
