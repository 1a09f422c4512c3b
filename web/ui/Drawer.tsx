import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from './Icon.tsx'
import { modalCloseEvents } from './modal-close.ts'
import { ModalNotices } from './Notices.tsx'
import { restoreFocus } from './restore-focus.ts'
import './drawer.css'

type Props = {
  title: string
  /** Right of the title, such as a link to the next row. */
  tools?: ReactNode
  children: ReactNode
  onClose: () => void
}

/** A panel at the side of the page, on a phone covering it. Esc closes it and restores the focus. */
export function Drawer({ title, tools, children, onClose }: Props) {
  const { t } = useTranslation()
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const before = document.activeElement
    const drawer = ref.current
    drawer?.showModal()
    return () => {
      drawer?.close()
      restoreFocus(before)
    }
  }, [])
  return (
    <dialog ref={ref} className="drawer" aria-labelledby={titleId} {...modalCloseEvents(onClose)}>
      <header className="drawer-head">
        <h2 id={titleId} tabIndex={-1} data-first-focus>
          {title}
        </h2>
        <div className="drawer-tools">
          {tools}
          <button type="button" className="button button-quiet" aria-label={t('action.close')} onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
      </header>
      <div className="drawer-body">{children}</div>
      <ModalNotices />
    </dialog>
  )
}
