import type { ReauthenticationMethod } from '#shared/contract/reauthentication.ts'

export type MethodFieldProps = {
  method: ReauthenticationMethod
  /** Identifies the contact: a masked number or address. */
  hint: string
  value: string
  error: string | undefined
  onChange: (value: string) => void
  /** For a method that answers by itself, without the dialog's button. */
  onAnswer: (answer: string) => void
}
