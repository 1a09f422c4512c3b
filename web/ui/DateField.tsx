import { type RefObject, Suspense, useLayoutEffect, useRef } from 'react'
import { lazyPart } from '../platform/lazy-part.ts'
import type { DatePickerProps } from './date-picker.types.ts'
import { Field } from './Field.tsx'
import { useFieldError } from './field-errors.ts'

const Picker = lazyPart(() => import('./DatePicker.tsx'), 'DatePicker')

/** Without a label. Loaded on demand, because most lists and forms have no date. */
export function DateInput(props: DatePickerProps) {
  const wasFocused = useRef(false)
  return (
    <Suspense fallback={<Awaited {...props} wasFocused={wasFocused} />}>
      <Picker {...props} wasFocused={wasFocused} />
    </Suspense>
  )
}

type AwaitedProps = Pick<DatePickerProps, 'label' | 'aria'> & { wasFocused: RefObject<boolean> }

/** Takes the focus in its place, as the first field of a dialog does. */
function Awaited({ label, aria, wasFocused }: AwaitedProps) {
  const place = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const shown = place.current
    return () => {
      wasFocused.current = document.activeElement === shown
    }
  }, [wasFocused])
  return (
    <button
      ref={place}
      type="button"
      className="input"
      aria-busy="true"
      aria-label={label}
      aria-labelledby={aria?.['aria-labelledby']}
    />
  )
}

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
