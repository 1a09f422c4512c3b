import { Field } from './Field.tsx'
import { useFieldError } from './field-errors.ts'
import { useFixedReason } from './fixed-field.ts'

type Props = {
  label: string
  value: string
  onChange: (value: string) => void
  /** Its name in the contract: the server's errors for it are shown here. */
  name?: string
  hint?: string | undefined
  error?: string | undefined
  isOptional?: boolean
  rows?: number
  maxLength?: number
  disabled?: boolean
  placeholder?: string
}

/** Several lines of text. */
export function TextAreaField(props: Props) {
  const { label, value, onChange, name, hint, error, isOptional, rows = 3, ...input } = props
  const refused = useFieldError(name, value)
  const isFixed = useFixedReason() !== undefined
  return (
    <Field label={label} hint={hint} error={error ?? refused} isOptional={isOptional} isRequired={!isOptional} isWide>
      {(aria) => (
        <textarea
          {...input}
          {...aria}
          className="input"
          readOnly={isFixed}
          name={name}
          rows={rows}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}
