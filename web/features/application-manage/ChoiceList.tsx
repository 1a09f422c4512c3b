import { useId } from 'react'
import { useFieldError } from '../../ui/field-errors.ts'

type Props = {
  label: string
  name: string
  value: readonly string[]
  options: readonly { value: string; label: string }[]
  onChange: (value: never[]) => void
}

/** Some of a few; what is set but not known here stays, and shows. */
export function ChoiceList({ label, name, value, options, onChange }: Props) {
  const id = useId()
  const error = useFieldError(name, value)
  const unknown = value.filter((one) => !options.some((option) => option.value === one))
  const all = [...options, ...unknown.map((one) => ({ value: one, label: one }))]
  const toggle = (one: string) =>
    onChange((value.includes(one) ? value.filter((other) => other !== one) : [...value, one]) as never[])
  return (
    <fieldset className="choice-list" aria-describedby={error ? id : undefined}>
      <legend>{label}</legend>
      {all.map((option) => (
        <label key={option.value} className="choice">
          <input type="checkbox" checked={value.includes(option.value)} onChange={() => toggle(option.value)} />
          <span>{option.label}</span>
        </label>
      ))}
      {error && (
        <span className="field-error" id={id}>
          {error}
        </span>
      )}
    </fieldset>
  )
}
