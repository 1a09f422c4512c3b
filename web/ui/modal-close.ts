import type { SyntheticEvent } from 'react'

type ModalEvent = SyntheticEvent<HTMLDialogElement>

/** A nested dialog or file picker fires its own events. */
const isOwn = ({ target, currentTarget }: ModalEvent): boolean => target === currentTarget

/**
 * Events of a modal dialog that the page closes, and not the browser. Browsers let a page prevent that only once in a
 * row; the next Escape closes the dialog behind the page's back, so it is shown again before the page is asked.
 */
export const modalCloseEvents = (onClose: (() => void) | undefined) => ({
  onCancel: (event: ModalEvent) => {
    if (!isOwn(event) || !event.cancelable) return
    event.preventDefault()
    onClose?.()
  },
  onClose: (event: ModalEvent) => {
    const dialog = event.currentTarget
    if (!isOwn(event) || dialog.open || !dialog.isConnected) return
    dialog.showModal()
    onClose?.()
  },
})
