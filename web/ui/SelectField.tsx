import { useTranslation } from 'react-i18next'
import { Field } from './Field.tsx'
import { useFieldError } from './field-errors.ts'
import { Select } from './Select.tsx'

type Props<Value extends string> = {
  label: string
  /** Empty: nothing is chosen. */
  value: Value | ''
  options: readonly { value: Value; label: string; disabled?: boolean; lang?: string }[]
  onChange: (value: Value | '') => void
  /** Its name in the contract: the server's errors for it are shown here. */
  name?: string
  hint?: string | undefined
  error?: string | undefined
  /** May be empty, with this label; `true`: "None". */
  none?: string | boolean
  isWide?: boolean
  disabled?: boolean
}

/** One of a few. */
export function SelectField<Value extends string>(props: Props<Value>) {
  const { label, value, options, onChange, name, hint, error, none = false, isWide, disabled } = props
  const { t } = useTranslation()
  const refused = useFieldError(name, value)
  const empty = none === true ? t('select.none') : none || null
  return (
    <Field label={label} hint={hint} error={error ?? refused} isRequired={none === false} isGroup isWide={isWide}>
      {(aria) => (
        <Select
          aria={aria}
          value={value}
          options={empty === null ? options : [{ value: '', label: empty }, ...options]}
          onChange={(chosen) => onChange(chosen as Value | '')}
          disabled={disabled}
        />
      )}
    </Field>
  )
}
