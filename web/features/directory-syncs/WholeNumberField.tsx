import { TextField } from '../../ui/TextField.tsx'

type Props = {
  label: string
  hint?: string
  /** Its name in the contract: the server's errors for it are shown here. */
  name: string
  /** Not a number: nothing is entered. */
  value: number
  digits?: number
  onChange: (value: number) => void
}

/** A whole number; it may be empty while it is typed. */
export function WholeNumberField({ value, digits = 3, onChange, ...field }: Props) {
  return (
    <TextField
      {...field}
      value={Number.isNaN(value) ? '' : String(value)}
      inputMode="numeric"
      maxLength={digits}
      onChange={(text) => onChange(Number.parseInt(text.replace(/\D/g, '').slice(0, digits), 10))}
    />
  )
}
