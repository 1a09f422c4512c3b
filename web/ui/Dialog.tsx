import { type ReactNode, useEffect, useId, useRef } from 'react'
import { LeaveButton } from './LeaveButton.tsx'
import { modalCloseEvents } from './modal-close.ts'
import { ModalNotices } from './Notices.tsx'
import { restoreFocus } from './restore-focus.ts'

type Props = {
  title: string
  children?: ReactNode
  /** Buttons; the one with `autoFocus` takes the focus. Absent: one that closes it. */
  actions?: ReactNode
  /** Absent: one of the buttons has to be chosen. */
  onClose?: () => void
  /** The login is over: hide the page from whoever sits there now. */
  hidesPage?: boolean
  size?: 'narrow' | 'wide'
}

/** A native modal dialog: it traps focus, makes the page inert and restores the focus. */
export function Dialog({ title, children, actions, onClose, hidesPage = false, size = 'narrow' }: Props) {
  const ref = useRef<HTMLDialogElement>(null)
  /** The element that the browser focused, until the intended one is available. */
  const given = useRef<Element | null>(null)
  const titleId = useId()
  const bodyId = useId()
  useEffect(() => {
    const dialog = ref.current
    const before = document.activeElement
    dialog?.showModal()
    given.current = document.activeElement
    return () => {
      dialog?.close()
      restoreFocus(before)
    }
  }, [])
  useEffect(() => {
    // It may be loaded late; don't take back a focus that has moved on.
    if (document.activeElement !== given.current) return
    const first = ref.current?.querySelector<HTMLElement>('[data-first-focus]')
    if (!first) return
    given.current = null
    first.focus()
    // Its buttons stay in sight however long it is: a list is read from its beginning.
    if (first.closest('.dialog-actions')) ref.current?.scrollTo(0, 0)
  })
  return (
    <dialog
      ref={ref}
      className={`dialog dialog-${size}${hidesPage ? ' dialog-hides-page' : ''}`}
      aria-labelledby={titleId}
      aria-describedby={children ? bodyId : undefined}
      {...modalCloseEvents(onClose)}
    >
      <h2 id={titleId}>{title}</h2>
      {children && (
        <div className="dialog-body" id={bodyId}>
          {children}
        </div>
      )}
      {!hidesPage && <ModalNotices />}
      <div className="dialog-actions">{actions ?? <LeaveButton verb="close" onLeave={onClose} />}</div>
    </dialog>
  )
}
