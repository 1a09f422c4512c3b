import { useTranslation } from 'react-i18next'
import { CREATED_STATES } from '#shared/contract/created-people.ts'
import { type OrganizationFound, searchOrganizations } from '#shared/contract/organizations.ts'
import { type ReferenceEntry, userCategories } from '#shared/contract/reference-data.ts'
import { Picker, type PickerOption } from '../../ui/Picker.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import type { VendorDraft } from './vendor-draft.ts'

/** The fields compared in an edit conflict. */
export const CREATION_FIELDS = ['createOrganizationId', 'createCategoryId', 'createState', 'createValidDays'] as const

type Props = { draft: VendorDraft; onChange: (draft: VendorDraft) => void }

const pickedOf = (id: string, label: string): PickerOption[] => (id === '' ? [] : [{ id, label: label || id }])

/** Department, category and state of people created at their first login. */
export function CreationFields({ draft, onChange }: Props) {
  const { t } = useTranslation()
  const change = (fields: Partial<VendorDraft>) => onChange({ ...draft, ...fields } as VendorDraft)
  return (
    <>
      <p className="muted">{t('vendor.creates.hint')}</p>
      <Picker<OrganizationFound>
        label={t('vendor-field.createOrganizationId')}
        name="createOrganizationId"
        isOptional
        endpoint={searchOrganizations}
        toOption={({ id, name, path }) => ({ id, label: name, hint: path.map((step) => step.name).join(' / ') })}
        value={pickedOf(draft.createOrganizationId, draft.createOrganization)}
        onChange={([one]) => change({ createOrganizationId: one?.id ?? '', createOrganization: one?.label ?? '' })}
      />
      <Picker<ReferenceEntry>
        label={t('vendor-field.createCategoryId')}
        name="createCategoryId"
        isOptional
        endpoint={userCategories.list}
        toOption={({ id, code, shownName }) => ({ id, label: shownName, hint: code })}
        value={pickedOf(draft.createCategoryId, draft.createCategory)}
        onChange={([one]) => change({ createCategoryId: one?.id ?? '', createCategory: one?.label ?? '' })}
      />
      <SelectField
        name="createState"
        label={t('vendor-field.createState')}
        value={draft.createState}
        options={CREATED_STATES.map((value) => ({ value, label: t(`vendor.createState.${value}`) }))}
        onChange={(createState) => createState && change({ createState })}
      />
      <TextField
        name="createValidDays"
        label={t('vendor-field.createValidDays')}
        hint={t('vendor.valid-days.hint')}
        value={draft.createValidDays}
        isOptional
        inputMode="numeric"
        maxLength={5}
        onChange={(createValidDays) => change({ createValidDays })}
      />
    </>
  )
}
