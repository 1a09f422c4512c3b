import { useTranslation } from 'react-i18next'
import { dismissNotice, useNotices } from '../platform/notices.ts'
import { Icon } from './Icon.tsx'
import { useHasModal, useTopLayer } from './modal-layers.ts'
import { restoreFocus } from './restore-focus.ts'

/** On the page, while no modal dialog makes it inert. */
export const PageNotices = () => <Notices isShown={!useHasModal()} />

/** In the modal dialog that contains it, unless another one is above. */
export const ModalNotices = () => <Notices isShown={useTopLayer()} />

/** Notices, announced as they appear. The live region must exist before its content. */
function Notices({ isShown }: { isShown: boolean }) {
  const { t } = useTranslation()
  const all = useNotices()
  const notices = isShown ? all : []
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
                restoreFocus(event.currentTarget)
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
              restoreFocus(event.currentTarget)
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
