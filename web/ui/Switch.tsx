import { type ReactNode, useId } from 'react'
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
  return (
    <div className="switch-field">
      <label className="switch">
        <input
          type="checkbox"
          role="switch"
          aria-checked={checked}
          checked={checked}
          disabled={disabled}
          aria-describedby={hint ? id : undefined}
          onChange={(event) => onChange(event.target.checked)}
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
