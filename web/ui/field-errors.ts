import { createContext, useContext } from 'react'
import { isRefusal } from '../platform/refusal.ts'

export type FieldErrors = Readonly<Record<string, string>>

export const FieldErrorsContext = createContext<FieldErrors>({})

/** What the server said of a field of this form, by the field's name in the contract. */
export function useFieldErrors(): (name: string | undefined) => string | undefined {
  const errors = useContext(FieldErrorsContext)
  return (name) => (name === undefined ? undefined : errors[name])
}

type Invalid = { fields?: { field: string; reason: string }[] }

/** The fields of a refused request; a list inside a field belongs to that field too. */
export function fieldErrorsOf(error: unknown): FieldErrors {
  if (!isRefusal(error, 'request.invalid')) return {}
  const { fields = [] } = (error.data ?? {}) as Invalid
  const named = fields.flatMap(({ field, reason }): [string, string][] => {
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
