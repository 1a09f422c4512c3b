import { TextField } from '../../ui/TextField.tsx'

type Props = {
  label: string
  hint?: string
  /** Its name in the contract: the server's errors for it are shown here. */
  name: string
  /** Not a number: nothing is entered. */
  value: number
  onChange: (value: number) => void
}

/** A whole number of up to three digits; it may be empty while it is typed. */
export function WholeNumberField({ value, onChange, ...field }: Props) {
  return (
    <TextField
      {...field}
      value={Number.isNaN(value) ? '' : String(value)}
      inputMode="numeric"
      maxLength={3}
      onChange={(text) => onChange(toWholeNumber(text))}
    />
  )
}

const toWholeNumber = (text: string): number => Number.parseInt(text.replace(/\D/g, '').slice(0, 3), 10)
