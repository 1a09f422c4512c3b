import { type ReactNode, type RefObject, useContext } from 'react'
import { OverlayTriggerStateContext, Popover } from 'react-aria-components'
import './field-popover.css'

type Props = {
  root: RefObject<HTMLElement | null>
  /** What it hangs from, where no component of react-aria around it knows. */
  triggerRef?: RefObject<HTMLElement | null>
  className?: string
  children: ReactNode
}

/** Into the browser's top layer, above native dialogs and clipped by none of them. */
function showInTopLayer(popover: HTMLElement | null): void {
  if (typeof popover?.showPopover !== 'function' || popover.matches(':popover-open')) return
  popover.popover = 'manual'
  popover.showPopover()
}

/** The popover of a field. `root` is an element of the field: inside a native dialog everything outside of it is inert. */
export function FieldPopover({ root, triggerRef, className = '', children }: Props) {
  // The container has to be known when it opens.
  const isOpen = useContext(OverlayTriggerStateContext)?.isOpen
  const dialog = isOpen ? root.current?.closest('dialog') : null
  return (
    <Popover
      ref={showInTopLayer}
      className={`field-popover ${className}`}
      offset={4}
      containerPadding={8}
      {...(triggerRef && { triggerRef })}
      {...(dialog && { UNSTABLE_portalContainer: dialog })}
    >
      {children}
    </Popover>
  )
}
