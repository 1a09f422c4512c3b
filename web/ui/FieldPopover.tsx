import { type KeyboardEvent, type ReactNode, type RefObject, useContext } from 'react'
import { OverlayTriggerStateContext, Popover, type PopoverProps } from 'react-aria-components'
import { flushSync } from 'react-dom'
import './field-popover.css'

type Props = {
  root: RefObject<HTMLElement | null>
  /** The anchor, if no react-aria component provides it. */
  triggerRef?: RefObject<HTMLElement | null>
  className?: string
  /** The name, if no react-aria component provides it. */
  label?: string
  placement?: PopoverProps['placement']
  /** If no react-aria component controls it: it is open until this is called. */
  onClose?: () => void
  /** Tab was pressed inside: closes it, so that the browser moves on from `opener`. */
  onTab?: () => void
  /** The previously focused element, if not `triggerRef`. */
  opener?: RefObject<HTMLElement | null> | undefined
  children: ReactNode
}

/** Into the browser's top layer, above native dialogs and not clipped by them. */
function showInTopLayer(popover: HTMLElement | null): void {
  if (typeof popover?.showPopover !== 'function' || popover.matches(':popover-open')) return
  popover.popover = 'manual'
  popover.showPopover()
}

/** The popover of a field. `root` is an element of the field: outside of a native dialog everything is inert. */
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
    // The popover traps the focus: it has to be unmounted before the browser moves on.
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
