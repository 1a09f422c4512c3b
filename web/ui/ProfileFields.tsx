import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ShownCustomField } from '#shared/contract/custom-fields.ts'
import type { TYPED_FIELDS } from '#shared/contract/profile.ts'
import { birthYears } from '#shared/rules/birthday.ts'
import { CustomValueField } from './CustomValueField.tsx'
import { DateField } from './DateField.tsx'
import { SelectField } from './SelectField.tsx'
import { TextField } from './TextField.tsx'

type ProfileField = (typeof TYPED_FIELDS)[number] | 'alias'
export type MissingProfileField = { field: ProfileField; expected: string | null }
type MissingFields = { fields: readonly MissingProfileField[]; custom: readonly ShownCustomField[] }

/** What is typed into fields of a profile that are missing. */
export function useProfileValues({ fields, custom }: MissingFields) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const textOf = (name: string) => values[name]?.trim() ?? ''
  const names = [...fields.map(({ field }) => field), ...custom.map(({ name }) => name)]
  return {
    values,
    set: (name: string, value: string) => setValues((before) => ({ ...before, [name]: value })),
    isReady: names.every((name) => textOf(name) !== ''),
    body: {
      ...Object.fromEntries(fields.map(({ field }) => [field, textOf(field)])),
      custom: Object.fromEntries(custom.map(({ key, name }) => [key, textOf(name)])),
    },
  }
}

type Props = MissingFields & Pick<ReturnType<typeof useProfileValues>, 'values' | 'set'> & { submitted: boolean }

/** What of a profile is simply typed or chosen, everything required. */
export function ProfileFields({ fields, custom, values, set, submitted }: Props): ReactNode {
  const { t } = useTranslation()
  const errorOf = (name: string) =>
    submitted && (values[name]?.trim() ?? '') === '' ? t('complete-profile.missing') : undefined
  return (
    <>
      {fields.map(({ field, expected }) => (
        <TypedField
          key={field}
          field={field}
          expected={expected}
          value={values[field] ?? ''}
          error={errorOf(field)}
          onChange={(value) => set(field, value)}
        />
      ))}
      {custom.map((field) => (
        <CustomValueField
          key={field.key}
          field={field}
          value={values[field.name] ?? ''}
          isRequired
          error={errorOf(field.name)}
          onChange={(value) => set(field.name, value)}
        />
      ))}
    </>
  )
}

const GENDERS = ['male', 'female'] as const

type FieldProps = MissingProfileField & {
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

function TypedField({ field, expected, ...props }: FieldProps) {
  const { t } = useTranslation()
  const hint = expected ?? undefined
  const { value, error, onChange } = props
  const label = t(`person-field.${field}`)
  if (field === 'gender') {
    const options = GENDERS.map((gender) => ({ value: gender, label: t(`personal-data.gender.${gender}`) }))
    const chosen = GENDERS.find((gender) => gender === value) ?? ''
    return <SelectField label={label} name={field} value={chosen} options={options} error={error} onChange={onChange} />
  }
  if (field === 'birthday') {
    const years = birthYears(new Date())
    return (
      <DateField
        label={label}
        name={field}
        value={value || null}
        min={`${years.at(-1)}-01-01`}
        max={`${years[0]}-12-31`}
        error={error}
        onChange={(day) => onChange(day ?? '')}
      />
    )
  }
  return <TextField label={label} name={field} hint={hint} maxLength={100} {...props} />
}
