import { createContext, useContext, useState } from 'react'
import { isRefusal } from '../platform/refusal.ts'

export type FieldErrors = Readonly<Record<string, string>>

export const FieldErrorsContext = createContext<FieldErrors>({})

/** The server's error for a field, by its name in the contract; cleared when the value changes. */
export function useFieldError(name: string | undefined, value: unknown): string | undefined {
  const errors = useContext(FieldErrorsContext)
  const now = JSON.stringify(value)
  const [refused, setRefused] = useState({ errors, value: now })
  if (refused.errors !== errors) setRefused({ errors, value: now })
  if (name === undefined || (refused.errors === errors && refused.value !== now)) return undefined
  return errors[name]
}

/** `request.invalid` has a reason for each field; other refusals may only name fields. */
type Named = { fields?: (string | { field: string; reason: string })[] }

/** The fields of a refused request; an error inside a list belongs to its field too. */
export function fieldErrorsOf(error: unknown): FieldErrors {
  if (!isRefusal(error)) return {}
  const { fields } = (error.data ?? {}) as Named
  if (!Array.isArray(fields)) return {}
  const named = fields.flatMap((entry): [string, string][] => {
    const { field, reason } = typeof entry === 'string' ? { field: entry, reason: error.message } : entry
    const [first = field] = field.split('.')
    return first === field
      ? [[field, reason]]
      : [
          [first, reason],
          [field, reason],
        ]
  })
  return Object.fromEntries(named.toReversed())
}
