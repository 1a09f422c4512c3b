import { useId } from 'react'
import { useFieldError } from './field-errors.ts'
import { describedBy, useFixedReason } from './fixed-field.ts'
import './choice-list.css'

type Props = {
  label: string
  name: string
  value: readonly string[]
  options: readonly { value: string; label: string }[]
  onChange: (value: never[]) => void
  hint?: string | undefined
  error?: string | undefined
  disabled?: boolean | undefined
}

/** Several of a few; stored values unknown here are kept and shown. */
export function ChoiceList({ label, name, value, options, onChange, hint, error: wrong, disabled }: Props) {
  const id = useId()
  const refused = useFieldError(name, value)
  const fixed = useFixedReason()
  const error = wrong ?? refused
  const unknown = value.filter((one) => !options.some((option) => option.value === one))
  const all = [...options, ...unknown.map((one) => ({ value: one, label: one }))]
  const toggle = (one: string) =>
    onChange((value.includes(one) ? value.filter((other) => other !== one) : [...value, one]) as never[])
  return (
    <fieldset className="choice-list" aria-describedby={describedBy(hint && `${id}-hint`, error && id, fixed)}>
      <legend>{label}</legend>
      {all.map((option) => (
        <label key={option.value} className="choice">
          <input
            type="checkbox"
            checked={value.includes(option.value)}
            disabled={disabled}
            aria-disabled={fixed !== undefined || undefined}
            aria-describedby={fixed}
            aria-invalid={error ? true : undefined}
            onChange={() => fixed === undefined && toggle(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
      {hint && (
        <span className="muted" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {error && (
        <span className="field-error" id={id}>
          {error}
        </span>
      )}
    </fieldset>
  )
}
