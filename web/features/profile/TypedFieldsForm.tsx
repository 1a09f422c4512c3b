import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FieldFormat } from '#shared/contract/account-fields.ts'
import { completeProfile, type ProfileCompletion, type TYPED_FIELDS } from '#shared/contract/profile.ts'
import { birthYears } from '#shared/rules/birthday.ts'
import { call } from '../../platform/api.ts'
import { updateUser } from '../../platform/session.ts'
import { DateField } from '../../ui/DateField.tsx'
import { FieldErrorsContext, fieldErrorsOf } from '../../ui/field-errors.ts'
import { SelectField } from '../../ui/SelectField.tsx'
import { RefusalLine, SubmitForm } from '../../ui/SubmitForm.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useFormatText } from './use-format-text.ts'

type TypedField = (typeof TYPED_FIELDS)[number]
type Missing = { field: TypedField; format: FieldFormat }

const GENDERS = ['male', 'female'] as const

/** What of a profile is simply typed or chosen. */
export function TypedFieldsForm({
  fields,
  onSaved,
}: {
  fields: readonly Missing[]
  onSaved: (saved: ProfileCompletion) => void
}) {
  const { t } = useTranslation()
  const [values, setValues] = useState<Partial<Record<TypedField, string>>>({})
  const textOf = (field: TypedField) => values[field]?.trim() ?? ''
  const save = useMutation({
    mutationFn: () => {
      const body = Object.fromEntries(fields.map(({ field }) => [field, textOf(field)]))
      return call(completeProfile, { body })
    },
    onSuccess: (saved) => {
      updateUser({ nick: saved.nick })
      onSaved(saved)
    },
  })
  const errors = useMemo(() => fieldErrorsOf(save.error), [save.error])
  return (
    <SubmitForm
      className="profile-fields"
      isReady={fields.every(({ field }) => textOf(field) !== '')}
      isBusy={save.isPending}
      error={save.error}
      onSubmit={() => save.mutate()}
    >
      {(submitted) => (
        <FieldErrorsContext value={errors}>
          {fields.map(({ field, format }) => (
            <TypedField
              key={field}
              field={field}
              format={format}
              value={values[field] ?? ''}
              error={submitted && textOf(field) === '' ? t('complete-profile.missing') : undefined}
              onChange={(value) => setValues((before) => ({ ...before, [field]: value }))}
            />
          ))}
          {save.error && Object.keys(errors).length === 0 && <RefusalLine>{save.error.message}</RefusalLine>}
          <div className="form-actions">
            <button type="submit" className="button button-primary" aria-disabled={save.isPending}>
              {t('complete-profile.save')}
            </button>
          </div>
        </FieldErrorsContext>
      )}
    </SubmitForm>
  )
}

type FieldProps = Missing & { value: string; error: string | undefined; onChange: (value: string) => void }

function TypedField({ field, format, ...props }: FieldProps) {
  const { t } = useTranslation()
  const hint = useFormatText()(format)
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
