import { Suspense } from 'react'
import { lazyPart } from '../platform/lazy-part.ts'
import { Field, type FieldAria } from './Field.tsx'
import { useFieldError } from './field-errors.ts'

export type DatePickerProps = {
  /** A day such as `2026-11-22`; with `hasTime` a moment such as `2026-11-22T00:00:00.000Z`. Null: none. */
  value: string | null
  onChange: (value: string | null) => void
  hasTime?: boolean
  min?: string | null | undefined
  max?: string | null | undefined
  /** Its name where no label stands beside it. */
  label?: string
  /** From the `Field` around it. */
  aria?: FieldAria
}

const Picker = lazyPart(() => import('./DatePicker.tsx'), 'DatePicker')

/** Without a label of its own. Most lists and forms are used without a date: its code comes when one is shown. */
export const DateInput = (props: DatePickerProps) => (
  <Suspense fallback={<div className="input" aria-hidden="true" />}>
    <Picker {...props} />
  </Suspense>
)

export type DateFieldProps = Omit<DatePickerProps, 'aria' | 'label'> & {
  label: string
  /** Its name in the contract: what the server says of it is shown here. */
  name?: string
  hint?: string | undefined
  error?: string | undefined
  isOptional?: boolean
}

/** A day, or with `hasTime` a day and a time in the person's own zone. */
export function DateField({ label, name, hint, error, isOptional, ...picker }: DateFieldProps) {
  const refused = useFieldError(name, picker.value)
  return (
    <Field label={label} hint={hint} error={error ?? refused} isOptional={isOptional} isGroup>
      {(aria) => <DateInput {...picker} aria={aria} />}
    </Field>
  )
}
