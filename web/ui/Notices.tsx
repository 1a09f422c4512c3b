import { useTranslation } from 'react-i18next'
import { dismissNotice, useNotices } from '../platform/notices.ts'
import { giveFocusBack } from './give-focus-back.ts'
import { Icon } from './Icon.tsx'

/** Short lines about what was done, read out as they come. */
export function Notices() {
  const { t } = useTranslation()
  const notices = useNotices()
  return (
    <div className="notices" role="status" aria-live="polite">
      {notices.map(({ id, tone, text, action }) => (
        <div key={id} className={`notice notice-${tone}`}>
          <span className="dot" />
          <span>{text}</span>
          {action && (
            <button
              type="button"
              className="button button-quiet"
              onClick={(event) => {
                giveFocusBack(event.currentTarget)
                dismissNotice(id)
                action.run()
              }}
            >
              {action.label}
            </button>
          )}
          <button
            type="button"
            className="button button-quiet"
            onClick={(event) => {
              giveFocusBack(event.currentTarget)
              dismissNotice(id)
            }}
            aria-label={t('action.close')}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  )
}
