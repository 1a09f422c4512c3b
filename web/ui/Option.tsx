import { type ReactNode, useEffect, useRef } from 'react'
import { Icon, type IconName } from './Icon.tsx'
import './option.css'

type Props = {
  id: string
  label: ReactNode
  hint?: string | undefined
  icon?: IconName
  /** The keys are on it. */
  isActive: boolean
  /** It is what the field has. */
  isSelected: boolean
  onTake: () => void
}

/** One of a list below a field that keeps the focus (`useCombobox`). */
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
      // Otherwise the field would lose the focus, and the list would close, before the click arrives.
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
