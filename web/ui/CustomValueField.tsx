import { useTranslation } from 'react-i18next'
import type { AskedCustomField } from '#shared/contract/custom-fields.ts'
import { DateField } from './DateField.tsx'
import { SelectField } from './SelectField.tsx'
import { TextField } from './TextField.tsx'

type Props = {
  field: AskedCustomField
  value: string
  onChange: (value: string) => void
  /** Must be filled in here. */
  isRequired?: boolean
  /** Who changes it, if nobody can here. */
  closed?: string | undefined
  error?: string | undefined
}

const MAX_LENGTH = 500

/** The value of a custom field. */
export function CustomValueField({ field, value, onChange, isRequired = false, closed, error }: Props) {
  const { t } = useTranslation()
  const { name, label, kind, choices } = field
  const hint = closed ?? field.expected ?? undefined
  const isOff = closed !== undefined
  if (kind === 'choice')
    return (
      <SelectField
        label={label}
        name={name}
        value={value}
        // People keep choices that are no longer offered.
        options={choices
          .filter(({ code, isOffered }) => isOffered || code === value)
          .map((one) => ({ value: one.code, label: one.label }))}
        none={!isRequired}
        hint={hint}
        error={error}
        disabled={isOff}
        onChange={onChange}
      />
    )
  if (kind === 'date' && !isOff)
    return (
      <DateField
        label={label}
        name={name}
        value={value || null}
        isOptional={!isRequired}
        hint={hint}
        error={error}
        onChange={(day) => onChange(day ?? '')}
      />
    )
  return (
    <TextField
      label={label}
      name={name}
      value={value}
      maxLength={MAX_LENGTH}
      isOptional={!isRequired}
      placeholder={isOff && value === '' ? t('personal-data.not-set') : ''}
      hint={hint}
      error={error}
      disabled={isOff}
      onChange={onChange}
    />
  )
}
