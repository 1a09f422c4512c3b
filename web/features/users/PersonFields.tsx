import { useTranslation } from 'react-i18next'
import { useIsSuperUser } from '../../platform/session.ts'
import { CustomValueField } from '../../ui/CustomValueField.tsx'
import { DateField } from '../../ui/DateField.tsx'
import { DateTimeField } from '../../ui/DateTimeField.tsx'
import { Picker } from '../../ui/Picker.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { usePersonFields, useReferenceOptions } from './people-queries.ts'
import { ORGANIZATION_PICKER, type PersonDraft } from './person-draft.ts'

type Props = {
  draft: PersonDraft
  onChange: (changes: Partial<PersonDraft>) => void
  isNew?: boolean
  hasIdNumber?: boolean
}

const GENDERS = ['male', 'female', 'unknown'] as const

/** The fields of a person, new or not. The number stays what it is. */
export function PersonFields({ draft, onChange, isNew = false, hasIdNumber = false }: Props) {
  const { t } = useTranslation()
  const isSuperUser = useIsSuperUser()
  const closedBy = useClosedFields(isNew)
  return (
    <>
      {isNew && (
        <TextField
          label={t('person-field.account')}
          name="account"
          value={draft.account}
          maxLength={64}
          isFirst
          hint={t('person.account-hint')}
          onChange={(account) => onChange({ account })}
        />
      )}
      <TextField
        label={t('person-field.name')}
        name="name"
        value={draft.name}
        maxLength={100}
        isFirst={!isNew}
        isWide={!isNew}
        {...closedBy('name')}
        onChange={(name) => onChange({ name })}
      />
      <Picker
        {...ORGANIZATION_PICKER}
        label={t('person-field.organizationId')}
        name="organizationId"
        // Who administers some organisations has to say which of them.
        isOptional={isSuperUser}
        value={draft.organization}
        onChange={(organization) => onChange({ organization })}
      />
      <ReferenceFields draft={draft} onChange={onChange} />
      <ContactFields draft={draft} onChange={onChange} isNew={isNew} />
      <IdentityFields draft={draft} onChange={onChange} isNew={isNew} hasIdNumber={hasIdNumber} />
      <Picker
        {...ORGANIZATION_PICKER}
        label={t('person-field.secondaryOrganizationIds')}
        name="secondaryOrganizationIds"
        multiple
        isOptional
        value={draft.secondary}
        onChange={(secondary) => onChange({ secondary })}
      />
      <DateTimeField
        label={t('person-field.validFrom')}
        name="validFrom"
        value={draft.validFrom}
        isOptional
        onChange={(validFrom) => onChange({ validFrom })}
      />
      <DateTimeField
        label={t('person-field.validUntil')}
        name="validUntil"
        value={draft.validUntil}
        min={draft.validFrom}
        isOptional
        onChange={(validUntil) => onChange({ validUntil })}
      />
      <CustomFields draft={draft} onChange={onChange} isNew={isNew} />
    </>
  )
}

/** Whoever creates a person gives everything; afterwards some fields are looked after elsewhere. */
function CustomFields({ draft, onChange, isNew = false }: Pick<Props, 'draft' | 'onChange' | 'isNew'>) {
  const { t } = useTranslation()
  const { custom } = usePersonFields()
  return custom.map((field) => {
    const { key, editableBy, isRequired } = field
    const isClosed = !isNew && (editableBy === 'source' || editableBy === 'nobody')
    return (
      <CustomValueField
        key={key}
        field={field}
        value={draft.custom[key] ?? ''}
        isRequired={isRequired}
        closed={isClosed ? t(`field-owner.${editableBy}`) : undefined}
        onChange={(value) => onChange({ custom: { ...draft.custom, [key]: value } })}
      />
    )
  })
}

/** Fields that administrators don’t change once somebody is there: greyed, with who does. */
function useClosedFields(isNew: boolean): (field: string) => { disabled?: boolean; hint?: string } {
  const { t } = useTranslation()
  const { closed } = usePersonFields()
  return (field) => {
    const found = isNew ? undefined : closed.find((one) => one.field === field)
    return found ? { disabled: true, hint: t(`field-owner.${found.editableBy}`) } : {}
  }
}

function ContactFields({ draft, onChange, isNew = false }: Pick<Props, 'draft' | 'onChange' | 'isNew'>) {
  const { t } = useTranslation()
  const closedBy = useClosedFields(isNew)
  return (
    <>
      <TextField
        label={t('person-field.phone')}
        name="phone"
        type="tel"
        inputMode="tel"
        value={draft.phone}
        isOptional
        {...closedBy('phone')}
        onChange={(phone) => onChange({ phone })}
      />
      <TextField
        label={t('person-field.mailbox')}
        name="mailbox"
        inputMode="email"
        value={draft.mailbox}
        isOptional
        {...closedBy('mailbox')}
        onChange={(mailbox) => onChange({ mailbox })}
      />
    </>
  )
}

function IdentityFields({ draft, onChange, hasIdNumber = false, isNew = false }: Props) {
  const { t } = useTranslation()
  const closedBy = useClosedFields(isNew)
  const birthday = closedBy('birthday')
  return (
    <>
      <SelectField
        label={t('person-field.gender')}
        name="gender"
        value={draft.gender}
        options={GENDERS.map((value) => ({ value, label: t(`person.gender.${value}`) }))}
        {...closedBy('gender')}
        onChange={(gender) => onChange({ gender: gender || 'unknown' })}
      />
      {birthday.disabled ? (
        <TextField
          label={t('person-field.birthday')}
          value={draft.birthday}
          isOptional
          {...birthday}
          onChange={() => {}}
        />
      ) : (
        <DateField
          label={t('person-field.birthday')}
          name="birthday"
          value={draft.birthday}
          isOptional
          onChange={(day) => onChange({ birthday: day ?? '' })}
        />
      )}
      <TextField
        label={t('person-field.idNumber')}
        name="idNumber"
        value={draft.idNumber}
        maxLength={60}
        isOptional
        hint={hasIdNumber ? t('person.id-number-kept') : t('person.id-number-hint')}
        {...closedBy('idNumber')}
        onChange={(idNumber) => onChange({ idNumber })}
      />
      <TextField
        label={t('person-field.alias')}
        name="alias"
        value={draft.alias}
        maxLength={32}
        isOptional
        {...closedBy('alias')}
        onChange={(alias) => onChange({ alias })}
      />
    </>
  )
}

function ReferenceFields({ draft, onChange }: Pick<Props, 'draft' | 'onChange'>) {
  const { t } = useTranslation()
  const { categories, natures } = useReferenceOptions()
  return (
    <>
      <SelectField
        label={t('person-field.categoryId')}
        name="categoryId"
        value={draft.categoryId}
        options={categories}
        none
        onChange={(categoryId) => onChange({ categoryId })}
      />
      <SelectField
        label={t('person-field.personnelNatureId')}
        name="personnelNatureId"
        value={draft.personnelNatureId}
        options={natures}
        none
        onChange={(personnelNatureId) => onChange({ personnelNatureId })}
      />
    </>
  )
}
