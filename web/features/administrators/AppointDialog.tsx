import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { appointAdministrator } from '#shared/contract/administrators.ts'
import { type OrganizationFound, searchOrganizations } from '#shared/contract/organizations.ts'
import type { Permission } from '#shared/contract/permissions.ts'
import { call } from '../../platform/api.ts'
import { notify } from '../../platform/notices.ts'
import { Refusal } from '../../platform/refusal.ts'
import { DateTimeField } from '../../ui/DateTimeField.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Picker, type PickerOption } from '../../ui/Picker.tsx'
import { PERSON_PICKER } from '../../ui/person-picker.ts'
import { TextField } from '../../ui/TextField.tsx'
import { refreshAdministrators } from './administrator-queries.ts'
import { PermissionsField } from './PermissionsField.tsx'

const toPickedOrganization = ({ id, name, path }: OrganizationFound): PickerOption => ({
  id,
  label: name,
  hint: path.map((step) => step.name).join(' / '),
})

type Draft = {
  person: readonly PickerOption[]
  organization: readonly PickerOption[]
  permissions: readonly Permission[]
  validFrom: string | null
  validUntil: string | null
  reason: string
}
const EMPTY: Draft = { person: [], organization: [], permissions: [], validFrom: null, validUntil: null, reason: '' }

/** The refusal that the server would give for a form without a person or an organisation. */
function missingFields(reason: string, chosen: Record<string, PickerOption | undefined>): Refusal {
  const fields = Object.keys(chosen).flatMap((field) => (chosen[field] ? [] : [{ field, reason }]))
  return new Refusal(400, 'request.invalid', reason, { data: { fields } })
}

/** Appoints a person to administer an organisation and everything below it. */
export function AppointDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState(EMPTY)
  const set = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }))
  const submit = async () => {
    const [person] = draft.person
    const [organization] = draft.organization
    if (!person || !organization)
      throw missingFields(t('administrator.choose'), { userId: person, organizationId: organization })
    const { permissions, validFrom, validUntil, reason } = draft
    const appointment = { permissions: [...permissions], validFrom, validUntil, ...(reason && { reason }) }
    const body = { userId: person.id, organizationId: organization.id, ...appointment }
    const made = await call(appointAdministrator, { body })
    notify('well', t('administrator.appointed', { name: made.name }))
    await refreshAdministrators()
  }
  return (
    <FormDialog
      title={t('administrator.appoint.title')}
      verb={t('administrator.appoint.verb')}
      size="wide"
      isDirty={draft !== EMPTY}
      onSubmit={submit}
      onClose={onClose}
    >
      <Picker
        label={t('administrator.person')}
        name="userId"
        {...PERSON_PICKER}
        value={draft.person}
        onChange={(person) => set({ person })}
        placeholder={t('administrator.person.search')}
      />
      <Picker
        label={t('administrator.organization')}
        name="organizationId"
        endpoint={searchOrganizations}
        toOption={toPickedOrganization}
        value={draft.organization}
        onChange={(organization) => set({ organization })}
        hint={t('administrator.organization.hint')}
      />
      <PermissionsField value={draft.permissions} onChange={(permissions) => set({ permissions })} />
      <DateTimeField
        label={t('administrator.valid-from')}
        name="validFrom"
        isOptional
        value={draft.validFrom}
        onChange={(validFrom) => set({ validFrom })}
      />
      <DateTimeField
        label={t('administrator.valid-until')}
        name="validUntil"
        isOptional
        value={draft.validUntil}
        onChange={(validUntil) => set({ validUntil })}
      />
      <TextField
        label={t('administrator.reason')}
        name="reason"
        isOptional
        isWide
        maxLength={500}
        value={draft.reason}
        onChange={(reason) => set({ reason })}
      />
    </FormDialog>
  )
}
