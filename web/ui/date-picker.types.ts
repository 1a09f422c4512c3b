import type { FieldAria } from './Field.tsx'

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
