import { Field } from './Field.tsx'

type Props = {
  value: string
  label: string
  hint?: string
  error?: string | undefined
  /** Where the focus goes when its dialog opens. */
  isFirst?: boolean
  onChange: (value: string) => void
}

/** A six-digit code of an authenticator app. */
export const AppCodeField = ({ value, label, hint, error, isFirst, onChange }: Props) => (
  <Field label={label} hint={hint} error={error}>
    {(aria) => (
      <input
        {...aria}
        className="input tabular"
        inputMode="numeric"
        autoComplete="one-time-code"
        spellCheck={false}
        maxLength={40}
        data-first-focus={isFirst}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    )}
  </Field>
)
