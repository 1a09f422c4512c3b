import { useState } from 'react'
import { Field } from './Field.tsx'
import { useFieldError } from './field-errors.ts'

type Props = {
  label: string
  /** A moment such as `2026-11-22T00:00:00.000Z`; null: none. */
  value: string | null
  onChange: (value: string | null) => void
  /** Its name in the contract: what the server says of it is shown here. */
  name?: string
  hint?: string | undefined
  error?: string | undefined
  isOptional?: boolean
  min?: string | null
  max?: string | null
}

const two = (number: number): string => String(number).padStart(2, '0')

/** As the browser's field wants it, in the person's own zone. */
function localOf(moment: string | null | undefined): string {
  if (!moment) return ''
  const time = new Date(moment)
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
  return `${day}T${two(time.getHours())}:${two(time.getMinutes())}`
}

/** A day and a time, in the person's own zone; the call gets a moment. */
export function DateTimeField(props: Props) {
  const { label, value, onChange, name, hint, error, isOptional, min, max } = props
  const refused = useFieldError(name, value)
  // What is typed half is no moment yet, and must stay in the field.
  const [text, setText] = useState(() => localOf(value))
  const [known, setKnown] = useState(value)
  if (known !== value) {
    setKnown(value)
    setText(localOf(value))
  }
  const type = (typed: string) => {
    setText(typed)
    const moment = typed === '' ? null : new Date(typed).toISOString()
    setKnown(moment)
    onChange(moment)
  }
  return (
    <Field label={label} hint={hint} error={error ?? refused} isOptional={isOptional}>
      {(aria) => (
        <input
          {...aria}
          className="input"
          type="datetime-local"
          name={name}
          value={text}
          min={localOf(min) || undefined}
          max={localOf(max) || '9999-12-31T23:59'}
          onChange={(event) => type(event.target.value)}
        />
      )}
    </Field>
  )
}
