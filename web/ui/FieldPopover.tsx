import { type KeyboardEvent, type ReactNode, type RefObject, useContext } from 'react'
import { OverlayTriggerStateContext, Popover, type PopoverProps } from 'react-aria-components'
import { flushSync } from 'react-dom'
import './field-popover.css'

type Props = {
  root: RefObject<HTMLElement | null>
  /** What it hangs from, where no component of react-aria around it knows. */
  triggerRef?: RefObject<HTMLElement | null>
  className?: string
  /** Where no component of react-aria around it names it. */
  label?: string
  placement?: PopoverProps['placement']
  /** Where no component of react-aria around it says whether it is open: it is, until this is called. */
  onClose?: () => void
  /** Tab was pressed inside: closes it, so that the browser goes on to what follows `opener`. */
  onTab?: () => void
  /** Where the focus was before, when that is not `triggerRef`. */
  opener?: RefObject<HTMLElement | null> | undefined
  children: ReactNode
}

/** Into the browser's top layer, above native dialogs and clipped by none of them. */
function showInTopLayer(popover: HTMLElement | null): void {
  if (typeof popover?.showPopover !== 'function' || popover.matches(':popover-open')) return
  popover.popover = 'manual'
  popover.showPopover()
}

/** The popover of a field. `root` is an element of the field: inside a native dialog everything outside of it is inert. */
export function FieldPopover({
  root,
  triggerRef,
  opener = triggerRef,
  className = '',
  label,
  placement,
  onClose,
  onTab,
  children,
}: Props) {
  // The container has to be known when it opens.
  const isOpen = useContext(OverlayTriggerStateContext)?.isOpen ?? Boolean(onClose)
  const dialog = isOpen ? root.current?.closest('dialog') : null
  const leave = (event: KeyboardEvent) => {
    if (event.key !== 'Tab' || !onTab) return
    event.stopPropagation()
    // The popover holds the focus while it is there: it has to be gone before the browser moves on.
    flushSync(onTab)
    opener?.current?.focus()
  }
  return (
    <Popover
      ref={showInTopLayer}
      className={`field-popover ${className}`}
      offset={4}
      containerPadding={8}
      {...(label && { 'aria-label': label })}
      {...(placement && { placement })}
      {...(onClose && { isOpen: true, onOpenChange: (next) => !next && onClose() })}
      {...(triggerRef && { triggerRef })}
      {...(dialog && { UNSTABLE_portalContainer: dialog })}
    >
      <div role="presentation" onKeyDownCapture={leave}>
        {children}
      </div>
    </Popover>
  )
}
