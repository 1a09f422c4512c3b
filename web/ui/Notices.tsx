import { useTranslation } from 'react-i18next'
import { dismissNotice, useNotices } from '../platform/notices.ts'
import { Icon } from './Icon.tsx'

/** Short lines about what was done, read out as they come. */
export function Notices() {
  const { t } = useTranslation()
  const notices = useNotices()
  return (
    <div className="notices" role="status" aria-live="polite">
      {notices.map(({ id, tone, text }) => (
        <div key={id} className={`notice notice-${tone}`}>
          <span className="dot" />
          <span>{text}</span>
          <button
            type="button"
            className="button button-quiet"
            onClick={() => dismissNotice(id)}
            aria-label={t('action.close')}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  )
}
