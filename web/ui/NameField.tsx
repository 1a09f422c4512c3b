import { TextField } from './TextField.tsx'

type Props = {
  label: string
  value: string
  disabled?: boolean
  hint?: string
  onChange: (value: string) => void
}

/** The name of what a dialog edits: its first field. */
export function NameField(props: Props) {
  return <TextField {...props} name="name" maxLength={100} isFirst />
}
