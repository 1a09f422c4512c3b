import { type ReactNode, useEffect, useRef } from 'react'
import { Icon, type IconName } from './Icon.tsx'
import './option.css'

type Props = {
  id: string
  label: ReactNode
  hint?: string | undefined
  icon?: IconName
  /** The keyboard is on it. */
  isActive: boolean
  /** It is the current value. */
  isSelected: boolean
  onTake: () => void
}

/** An option below a field that keeps the focus (`useCombobox`). */
export function Option({ id, label, hint, icon, isActive, isSelected, onTake }: Props) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isActive) ref.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys arrive in the field.
    <div
      ref={ref}
      id={id}
      role="option"
      tabIndex={-1}
      className="option"
      aria-selected={isSelected}
      data-active={isActive || undefined}
      // Otherwise the field would lose the focus, closing the list before the click.
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onTake}
    >
      {icon && <Icon name={icon} />}
      <span>{label}</span>
      {hint && (
        <span className="muted" title={hint}>
          {hint}
        </span>
      )}
    </div>
  )
}
