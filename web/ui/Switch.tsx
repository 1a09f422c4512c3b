import { type ReactNode, useId } from 'react'
import { describedBy, useFixedReason } from './fixed-field.ts'
import './switch.css'

type Props = {
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
  hint?: ReactNode
  disabled?: boolean
}

/** An on/off switch. */
export function Switch({ label, checked, onChange, hint, disabled = false }: Props) {
  const id = useId()
  const fixed = useFixedReason()
  return (
    <div className="switch-field">
      <label className="switch">
        <input
          type="checkbox"
          role="switch"
          aria-checked={checked}
          checked={checked}
          disabled={disabled}
          aria-disabled={fixed !== undefined || undefined}
          aria-describedby={describedBy(hint ? id : undefined, fixed)}
          onChange={(event) => fixed === undefined && onChange(event.target.checked)}
        />
        <span className="switch-track" aria-hidden="true" />
        <span>{label}</span>
      </label>
      {hint && (
        <span className="muted" id={id}>
          {hint}
        </span>
      )}
    </div>
  )
}
