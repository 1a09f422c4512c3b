import { TextAreaField } from './TextAreaField.tsx'

type Props = { label: string; value: string; onChange: (value: string) => void }

/** An optional note for colleagues. */
export function NoteField(props: Props) {
  return <TextAreaField {...props} name="note" maxLength={500} rows={2} isOptional />
}
