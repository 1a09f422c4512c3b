import { useTranslation } from 'react-i18next'
import { Field } from './Field.tsx'
import { useFieldError } from './field-errors.ts'

type Props<Value extends string> = {
  label: string
  /** Empty: nothing is chosen. */
  value: Value | ''
  options: readonly { value: Value; label: string; disabled?: boolean }[]
  onChange: (value: Value | '') => void
  /** Its name in the contract: what the server says of it is shown here. */
  name?: string
  hint?: string | undefined
  error?: string | undefined
  /** It may stay empty, under this label; `true`: "None". */
  none?: string | boolean
  isWide?: boolean
  disabled?: boolean
}

/** One of a few. */
export function SelectField<Value extends string>(props: Props<Value>) {
  const { label, value, options, onChange, name, hint, error, none = false, isWide, disabled } = props
  const { t } = useTranslation()
  const refused = useFieldError(name, value)
  return (
    <Field label={label} hint={hint} error={error ?? refused} isRequired={none === false} isWide={isWide}>
      {(aria) => (
        <select
          {...aria}
          className="input"
          name={name}
          value={value}
          disabled={disabled}
          onChange={(event) => onChange(event.target.value as Value | '')}
        >
          {none !== false ? (
            <option value="">{none === true ? t('select.none') : none}</option>
          ) : (
            // Without it the browser would show the first option for what is not chosen yet.
            value === '' && <option value="" disabled hidden />
          )}
          {options.map((option) => (
            <option key={option.value} value={option.value} disabled={option.disabled}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
