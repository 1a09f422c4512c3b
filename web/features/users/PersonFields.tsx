import { useTranslation } from 'react-i18next'
import type { UserDetails } from '#shared/contract/users.ts'
import { formatDateTime } from '../../platform/format-time.ts'
import { useIsSuperUser } from '../../platform/session.ts'
import { CustomValueField } from '../../ui/CustomValueField.tsx'
import { DateField } from '../../ui/DateField.tsx'
import { DateTimeField } from '../../ui/DateTimeField.tsx'
import { useOwnedFields } from '../../ui/FieldOwners.tsx'
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
  /** Syncs that own fields of the person. */
  owners?: UserDetails['fieldOwners']
}

const GENDERS = ['male', 'female', 'unknown'] as const

/** The fields of a new or existing person. An existing account can't be changed. */
export function PersonFields({ draft, onChange, isNew = false, hasIdNumber = false, owners = NONE }: Props) {
  const { t } = useTranslation()
  const closedBy = useClosedFields(isNew, owners)
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
      <OrganizationFields draft={draft} onChange={onChange} isNew={isNew} owners={owners} />
      <ReferenceFields draft={draft} onChange={onChange} isNew={isNew} owners={owners} />
      <ContactFields draft={draft} onChange={onChange} isNew={isNew} owners={owners} />
      <IdentityFields draft={draft} onChange={onChange} isNew={isNew} hasIdNumber={hasIdNumber} owners={owners} />
      <ValidityFields draft={draft} onChange={onChange} isNew={isNew} owners={owners} />
      <CustomFields draft={draft} onChange={onChange} isNew={isNew} owners={owners} />
    </>
  )
}

const NONE: UserDetails['fieldOwners'] = []

type PartProps = Required<Pick<Props, 'draft' | 'onChange' | 'isNew' | 'owners'>>

/** A read-only value. */
const Closed = ({ label, value, hint }: { label: string; value: string; hint?: string | undefined }) => (
  <TextField label={label} value={value} hint={hint} isOptional disabled onChange={() => {}} />
)

function OrganizationFields({ draft, onChange, isNew, owners }: PartProps) {
  const { t } = useTranslation()
  const isSuperUser = useIsSuperUser()
  const closedBy = useClosedFields(isNew, owners)
  const [first, others] = [closedBy('organizationId'), closedBy('secondaryOrganizationIds')]
  const names = (chosen: PersonDraft['organization']) => chosen.map(({ label }) => label).join(t('list.separator'))
  return (
    <>
      {first.disabled ? (
        <Closed label={t('person-field.organizationId')} value={names(draft.organization)} hint={first.hint} />
      ) : (
        <Picker
          {...ORGANIZATION_PICKER}
          label={t('person-field.organizationId')}
          name="organizationId"
          // An administrator of some organisations has to choose one of them.
          isOptional={isSuperUser}
          value={draft.organization}
          onChange={(organization) => onChange({ organization })}
        />
      )}
      {others.disabled ? (
        <Closed label={t('person-field.secondaryOrganizationIds')} value={names(draft.secondary)} hint={others.hint} />
      ) : (
        <Picker
          {...ORGANIZATION_PICKER}
          label={t('person-field.secondaryOrganizationIds')}
          name="secondaryOrganizationIds"
          multiple
          isOptional
          value={draft.secondary}
          onChange={(secondary) => onChange({ secondary })}
        />
      )}
    </>
  )
}

function ValidityFields({ draft, onChange, isNew, owners }: PartProps) {
  const { t, i18n } = useTranslation()
  const closedBy = useClosedFields(isNew, owners)
  return (['validFrom', 'validUntil'] as const).map((name) => {
    const closed = closedBy(name)
    const value = draft[name]
    if (closed.disabled) {
      const text = value ? formatDateTime(new Date(value), i18n.language) : ''
      return <Closed key={name} label={t(`person-field.${name}`)} value={text} hint={closed.hint} />
    }
    return (
      <DateTimeField
        key={name}
        label={t(`person-field.${name}`)}
        name={name}
        value={value}
        {...(name === 'validUntil' && { min: draft.validFrom })}
        isOptional
        onChange={(moment) => onChange({ [name]: moment })}
      />
    )
  })
}

/** A new person can be given any field; later some are maintained elsewhere. */
function CustomFields({ draft, onChange, isNew, owners }: PartProps) {
  const { t } = useTranslation()
  const closedBy = useClosedFields(isNew, owners)
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
        closed={isClosed ? t(`field-owner.${editableBy}`) : closedBy(`custom.${key}`).hint}
        onChange={(value) => onChange({ custom: { ...draft.custom, [key]: value } })}
      />
    )
  })
}

/** Fields of existing people that administrators can't change: greyed out, with who maintains them. */
function useClosedFields(
  isNew: boolean,
  owners: UserDetails['fieldOwners'],
): (field: string) => { disabled?: boolean; hint?: string } {
  const { t } = useTranslation()
  const { closed } = usePersonFields()
  const ownedBy = useOwnedFields(owners)
  return (field) => {
    const owned = ownedBy(field)
    if (owned.disabled) return owned
    const found = isNew ? undefined : closed.find((one) => one.field === field)
    return found ? { disabled: true, hint: t(`field-owner.${found.editableBy}`) } : {}
  }
}

function ContactFields({ draft, onChange, isNew, owners }: PartProps) {
  const { t } = useTranslation()
  const closedBy = useClosedFields(isNew, owners)
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

function IdentityFields({ draft, onChange, hasIdNumber, isNew, owners }: PartProps & { hasIdNumber: boolean }) {
  const { t } = useTranslation()
  const closedBy = useClosedFields(isNew, owners)
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

function ReferenceFields({ draft, onChange, isNew, owners }: PartProps) {
  const { t } = useTranslation()
  const closedBy = useClosedFields(isNew, owners)
  const { categories, personnelTypes } = useReferenceOptions()
  return (
    <>
      <SelectField
        label={t('person-field.categoryId')}
        name="categoryId"
        value={draft.categoryId}
        options={categories}
        none
        {...closedBy('categoryId')}
        onChange={(categoryId) => onChange({ categoryId })}
      />
      <SelectField
        label={t('person-field.personnelTypeId')}
        name="personnelTypeId"
        value={draft.personnelTypeId}
        options={personnelTypes}
        none
        {...closedBy('personnelTypeId')}
        onChange={(personnelTypeId) => onChange({ personnelTypeId })}
      />
    </>
  )
}
