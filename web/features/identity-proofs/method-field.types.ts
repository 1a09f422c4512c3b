import type { ProofMethodName } from '#shared/contract/identity-proofs.ts'

export type MethodFieldProps = {
  method: ProofMethodName
  /** Identifies the contact: a masked number or address. */
  hint: string
  value: string
  error: string | undefined
  onChange: (value: string) => void
  /** For a method that answers by itself, without the dialog's button. */
  onAnswer: (answer: string) => void
}
