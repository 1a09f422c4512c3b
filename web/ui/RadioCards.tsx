import { useId } from 'react'
import { useFixedReason } from './fixed-field.ts'
import './radio-cards.css'

type Props<Value extends string> = {
  legend: string
  value: Value
  options: readonly { value: Value; label: string; text?: string; disabled?: boolean }[]
  onChange: (value: Value) => void
}

/** One of a few, each explained. */
export function RadioCards<Value extends string>({ legend, value, options, onChange }: Props<Value>) {
  const name = useId()
  const fixed = useFixedReason()
  return (
    <fieldset className="radio-cards">
      <legend>{legend}</legend>
      {options.map((option) => (
        <label key={option.value} className="radio-card">
          <input
            type="radio"
            name={name}
            value={option.value}
            disabled={option.disabled}
            aria-disabled={fixed !== undefined || undefined}
            aria-describedby={fixed}
            checked={option.value === value}
            onChange={() => fixed === undefined && onChange(option.value)}
          />
          <span>
            <strong>{option.label}</strong>
            {option.text && <span className="muted">{option.text}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
