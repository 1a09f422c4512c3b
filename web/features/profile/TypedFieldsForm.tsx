import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ShownCustomField } from '#shared/contract/custom-fields.ts'
import { completeProfile, type ProfileCompletion, type TYPED_FIELDS } from '#shared/contract/profile.ts'
import { birthYears } from '#shared/rules/birthday.ts'
import { call } from '../../platform/api.ts'
import { updateUser } from '../../platform/session.ts'
import { CustomValueField } from '../../ui/CustomValueField.tsx'
import { DateField } from '../../ui/DateField.tsx'
import { FieldErrorsContext, fieldErrorsOf } from '../../ui/field-errors.ts'
import { SelectField } from '../../ui/SelectField.tsx'
import { RefusalLine, SubmitForm } from '../../ui/SubmitForm.tsx'
import { TextField } from '../../ui/TextField.tsx'

type TypedField = (typeof TYPED_FIELDS)[number]
type Missing = { field: TypedField; expected: string | null }

const GENDERS = ['male', 'female'] as const

/** What of a profile is simply typed or chosen. */
export function TypedFieldsForm({
  fields,
  custom,
  onSaved,
}: {
  fields: readonly Missing[]
  custom: readonly ShownCustomField[]
  onSaved: (saved: ProfileCompletion) => void
}) {
  const { t } = useTranslation()
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const set = (name: string, value: string) => setValues((before) => ({ ...before, [name]: value }))
  const textOf = (field: string) => values[field]?.trim() ?? ''
  const save = useMutation({
    mutationFn: () => {
      const body = Object.fromEntries(fields.map(({ field }) => [field, textOf(field)]))
      const own = Object.fromEntries(custom.map(({ key, name }) => [key, textOf(name)]))
      return call(completeProfile, { body: { ...body, custom: own } })
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
      isReady={[...fields.map(({ field }) => field), ...custom.map(({ name }) => name)].every(
        (one) => textOf(one) !== '',
      )}
      isBusy={save.isPending}
      error={save.error}
      onSubmit={() => save.mutate()}
    >
      {(submitted) => (
        <FieldErrorsContext value={errors}>
          {fields.map(({ field, expected }) => (
            <TypedField
              key={field}
              field={field}
              expected={expected}
              value={values[field] ?? ''}
              error={submitted && textOf(field) === '' ? t('complete-profile.missing') : undefined}
              onChange={(value) => set(field, value)}
            />
          ))}
          {custom.map((field) => (
            <CustomValueField
              key={field.key}
              field={field}
              value={values[field.name] ?? ''}
              isRequired
              error={submitted && textOf(field.name) === '' ? t('complete-profile.missing') : undefined}
              onChange={(value) => set(field.name, value)}
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
