import { Suspense } from 'react'
import { lazyPart } from '../platform/lazy-part.ts'
import { Field, type FieldAria } from './Field.tsx'
import { useFieldError } from './field-errors.ts'

export type DatePickerProps = {
  /** A date such as `2026-11-22`; with `hasTime` a time such as `2026-11-22T00:00:00.000Z`. Null: none. */
  value: string | null
  onChange: (value: string | null) => void
  hasTime?: boolean
  min?: string | null | undefined
  max?: string | null | undefined
  /** Its name, if there is no visible label. */
  label?: string
  /** From the `Field` around it. */
  aria?: FieldAria
}

const Picker = lazyPart(() => import('./DatePicker.tsx'), 'DatePicker')

/** Without a label. Loaded on demand, because most lists and forms have no date. */
export const DateInput = (props: DatePickerProps) => (
  <Suspense fallback={<div className="input" aria-hidden="true" />}>
    <Picker {...props} />
  </Suspense>
)

export type DateFieldProps = Omit<DatePickerProps, 'aria' | 'label'> & {
  label: string
  /** Its name in the contract: the server's errors for it are shown here. */
  name?: string
  hint?: string | undefined
  error?: string | undefined
  isOptional?: boolean
}

/** A date, or with `hasTime` a date and time in the person's zone. */
export function DateField({ label, name, hint, error, isOptional, ...picker }: DateFieldProps) {
  const refused = useFieldError(name, picker.value)
  return (
    <Field label={label} hint={hint} error={error ?? refused} isOptional={isOptional} isGroup>
      {(aria) => <DateInput {...picker} aria={aria} />}
    </Field>
  )
}
