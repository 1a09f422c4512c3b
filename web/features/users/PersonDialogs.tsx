import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { createUser, type UserDetails, updateUser } from '#shared/contract/users.ts'
import { call } from '../../platform/api.ts'
import { formatDateTime, formatDay } from '../../platform/format-time.ts'
import { notify } from '../../platform/notices.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { useEditedDraft } from '../../ui/use-edited-draft.ts'
import { PersonFields } from './PersonFields.tsx'
import { refreshPeople } from './people-queries.ts'
import { EMPTY_DRAFT, type PersonDraft, pickedOf, toBody, toDraft } from './person-draft.ts'
import type { OneTimeLink } from './ResetDialog.tsx'

type CreateProps = {
  organization: { id: string; name: string } | null
  onClose: () => void
  /** The new person's activation link has been created. */
  onLink: (name: string, link: OneTimeLink) => void
}

/** Creates a person; optionally with a link to set up the account. */
export function CreatePersonDialog({ organization, onClose, onLink }: CreateProps) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState<PersonDraft>(() => ({ ...EMPTY_DRAFT, organization: pickedOf(organization) }))
  const [activate, setActivate] = useState(true)
  const [isDirty, setDirty] = useState(false)
  const submit = async () => {
    const { activation } = await call(createUser, { body: { ...toBody(draft), account: draft.account, activate } })
    notify('well', t('person.created-one', { name: draft.name }))
    await refreshPeople()
    if (activation) onLink(draft.name, activation)
  }
  const change = (changes: Partial<PersonDraft>) => {
    setDirty(true)
    setDraft((before) => ({ ...before, ...changes }))
  }
  return (
    <FormDialog
      title={t('person.new')}
      verb={t('person.create')}
      onSubmit={submit}
      onClose={onClose}
      isDirty={isDirty}
      size="wide"
    >
      <PersonFields draft={draft} onChange={change} isNew />
      <div className="field-wide">
        <Switch
          label={t('person.with-link')}
          hint={t('person.with-link-hint')}
          checked={activate}
          onChange={setActivate}
        />
      </div>
    </FormDialog>
  )
}

const CONFLICT_FIELDS = [
  'name',
  'gender',
  'birthday',
  'organization',
  'secondaryOrganizations',
  'category',
  'personnelType',
  'phone',
  'mailbox',
  'alias',
  'validFrom',
  'validUntil',
  'custom',
] as const

const FIELD_MESSAGES = {
  organization: 'person-field.organizationId',
  secondaryOrganizations: 'person-field.secondaryOrganizationIds',
  category: 'person-field.categoryId',
  personnelType: 'person-field.personnelTypeId',
  custom: 'custom-field.title',
} as const

const hasFieldMessage = (field: string): field is keyof typeof FIELD_MESSAGES => field in FIELD_MESSAGES

const DAY_PATTERN = /^\d{4}-\d{2}-\d{2}$/
const MOMENT_PATTERN = /^\d{4}-\d{2}-\d{2}T/

type EditProps = { person: UserDetails; onClose: () => void }

/** Edits a person; on a conflict both states are shown to choose from. */
export function EditPersonDialog({ person, onClose }: EditProps) {
  const { t, i18n } = useTranslation()
  const { loaded, draft, set, isDirty, conflictOf } = useEditedDraft(person, toDraft)
  const submit = async () => {
    const { id, version } = loaded
    await call(updateUser, { query: { id }, body: { ...toBody(draft), version } })
    notify('well', t('person.saved', { name: draft.name }))
    await refreshPeople()
  }
  const labels = Object.fromEntries(
    CONFLICT_FIELDS.map((field) => [
      field,
      hasFieldMessage(field) ? t(FIELD_MESSAGES[field]) : t(`person-field.${field}`),
    ]),
  )
  return (
    <FormDialog
      title={t('person.edit', { name: t('person.named', person) })}
      verb={t('action.save')}
      onSubmit={submit}
      onClose={onClose}
      isDirty={isDirty}
      size="wide"
      {...conflictOf({ labels, show: (_field, value) => displayValue(value, i18n.language) })}
    >
      <PersonFields draft={draft} onChange={set} hasIdNumber={loaded.hasIdNumber} owners={loaded.fieldOwners} />
    </FormDialog>
  )
}

/** Values of custom fields, by key. */
const isValues = (value: unknown): value is Record<string, string> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !('name' in value && 'id' in value)

function displayValue(value: unknown, language: string): string {
  if (isValues(value)) return displayValue(Object.values(value), language)
  if (Array.isArray(value)) return value.map((one) => displayValue(one, language)).join(', ') || '—'
  if (typeof value === 'string' && DAY_PATTERN.test(value)) return formatDay(value, language)
  if (typeof value === 'string' && MOMENT_PATTERN.test(value)) return formatDateTime(new Date(value), language)
  if (value && typeof value === 'object' && 'name' in value) return String(value.name)
  return value === null || value === undefined || value === '' ? '—' : String(value)
}
