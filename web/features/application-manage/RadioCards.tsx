import { useId } from 'react'

type Props<Value extends string> = {
  legend: string
  value: Value
  options: readonly { value: Value; label: string; text?: string }[]
  onChange: (value: Value) => void
}

/** One of a few, each explained. */
export function RadioCards<Value extends string>({ legend, value, options, onChange }: Props<Value>) {
  const name = useId()
  return (
    <fieldset className="radio-cards">
      <legend>{legend}</legend>
      {options.map((option) => (
        <label key={option.value} className="radio-card">
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
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
