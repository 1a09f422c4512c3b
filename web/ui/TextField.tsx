import type { HTMLInputAutoCompleteAttribute, HTMLInputTypeAttribute } from 'react'
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
  isWide?: boolean
  isFirst?: boolean
  disabled?: boolean
  maxLength?: number
  placeholder?: string
  type?: HTMLInputTypeAttribute
  inputMode?: 'text' | 'numeric' | 'tel' | 'email' | 'url'
  autoComplete?: HTMLInputAutoCompleteAttribute
}

/** One line of text. */
export function TextField(props: Props) {
  const { label, value, onChange, name, hint, error, isOptional, isWide, isFirst = false, ...input } = props
  const refused = useFieldError(name, value)
  const isFixed = useFixedReason() !== undefined
  return (
    <Field
      label={label}
      hint={hint}
      error={error ?? refused}
      isOptional={isOptional}
      isRequired={!isOptional}
      isWide={isWide}
    >
      {(aria) => (
        <input
          type="text"
          autoComplete="off"
          {...input}
          {...aria}
          {...(isFirst && { 'data-first-focus': true })}
          className="input"
          readOnly={isFixed}
          name={name}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}
