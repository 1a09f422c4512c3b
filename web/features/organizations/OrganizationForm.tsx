import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  createOrganization,
  type OrganizationDetails,
  type OrganizationNode,
  organizationDetails,
  updateOrganization,
} from '#shared/contract/organizations.ts'
import { listOrganizationAttributeOptions } from '#shared/contract/reference-data.ts'
import { call } from '../../platform/api.ts'
import { useIsSuperUser } from '../../platform/session.ts'
import { FieldOwners, useOwnedFields } from '../../ui/FieldOwners.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { NameAndCode } from '../../ui/NameAndCode.tsx'
import { givenNames, NamesFields } from '../../ui/NamesFields.tsx'
import { OrganizationPicker } from '../../ui/OrganizationPicker.tsx'
import type { PickerOption } from '../../ui/Picker.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { useEditedDraft } from '../../ui/use-edited-draft.ts'
import type { DoneHandler } from './done-handler.types.ts'

type Draft = { name: string; code: string; attribute: string; names: Record<string, string> }

const EMPTY: Draft = { name: '', code: '', attribute: '', names: {} }

const draftOf = ({ name, code, attribute, names }: OrganizationDetails): Draft => ({
  name,
  code,
  attribute: attribute ?? '',
  names,
})

const bodyOf = ({ attribute, names, ...rest }: Draft) => ({
  ...rest,
  attribute: attribute || null,
  names: givenNames(names),
})

type CreateProps = { parent: OrganizationNode | null; onDone: DoneHandler; onClose: () => void }

export function OrganizationCreate({ parent, onDone, onClose }: CreateProps) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState(EMPTY)
  const [below, setBelow] = useState<readonly PickerOption[]>(parent ? [{ id: parent.id, label: parent.name }] : [])
  const isSuperUser = useIsSuperUser()
  const submit = async () => {
    const made = await call(createOrganization, {
      body: { ...bodyOf(draft), parentId: below[0]?.id ?? null, enabled: true },
    })
    onDone(t('organization.created', { name: draft.name }), made.id)
  }
  return (
    <FormDialog
      title={t('organization.create')}
      verb={t('organization.create-verb')}
      size="wide"
      isDirty={JSON.stringify(draft) !== JSON.stringify(EMPTY)}
      onSubmit={submit}
      onClose={onClose}
    >
      <Fields draft={draft} onChange={(change) => setDraft({ ...draft, ...change })} />
      <OrganizationPicker
        label={t('organization.parent')}
        name="parentId"
        isOptional={isSuperUser}
        {...(isSuperUser && { hint: t('organization.parent-hint') })}
        value={below}
        onChange={setBelow}
      />
    </FormDialog>
  )
}

type EditProps = { id: string; onDone: DoneHandler; onClose: () => void }

export function OrganizationEdit({ id, onDone, onClose }: EditProps) {
  const { data } = useQuery({
    queryKey: ['organizations', 'details', id],
    queryFn: ({ signal }) => call(organizationDetails, { query: { id } }, { signal }),
    staleTime: 0,
    gcTime: 0,
  })
  return data ? <EditDialog loaded={data} onDone={onDone} onClose={onClose} /> : null
}

function EditDialog({
  loaded: first,
  onDone,
  onClose,
}: {
  loaded: OrganizationDetails
  onDone: DoneHandler
  onClose: () => void
}) {
  const { t, i18n } = useTranslation()
  const { loaded, draft, set, isDirty, conflictOf } = useEditedDraft(first, draftOf)
  const shown = first.names[i18n.language as keyof typeof first.names] || first.name
  const submit = async () => {
    // After a conflict a source may own what was typed before.
    const theirs = draftOf(loaded)
    const owned = loaded.fieldOwners.flatMap(({ field }) => (field in theirs ? [field as keyof Draft] : []))
    const kept = Object.fromEntries(owned.map((field) => [field, theirs[field]]))
    const body = { ...bodyOf({ ...draft, ...kept }), version: loaded.version }
    await call(updateOrganization, { query: { id: loaded.id }, body })
    onDone(t('organization.changed', { name: draft.name }))
  }
  const labels = { name: t('organization.name'), code: t('organization.code'), attribute: t('organization.attribute') }
  return (
    <FormDialog<OrganizationDetails>
      title={t('organization.edit-title', { name: shown })}
      verb={t('action.save')}
      size="wide"
      isDirty={isDirty}
      {...conflictOf({ labels: { ...labels, names: t('organization.names') } })}
      onSubmit={submit}
      onClose={onClose}
    >
      <Fields draft={draft} onChange={set} owners={loaded.fieldOwners} />
    </FormDialog>
  )
}

type FieldsProps = {
  draft: Draft
  onChange: (change: Partial<Draft>) => void
  /** Syncs that own fields of the organisation. */
  owners?: OrganizationDetails['fieldOwners']
}

const NONE: OrganizationDetails['fieldOwners'] = []

function Fields({ draft, onChange, owners = NONE }: FieldsProps) {
  const { t, i18n } = useTranslation()
  const closedBy = useOwnedFields(owners)
  const { data: attributes } = useQuery({
    queryKey: ['org-attribute', 'options', i18n.language],
    queryFn: ({ signal }) => call(listOrganizationAttributeOptions, {}, { signal }),
  })
  return (
    <>
      <NameAndCode value={draft} onChange={onChange} codeHint={t('organization.code-hint')} closedBy={closedBy} />
      <SelectField
        label={t('organization.attribute')}
        name="attribute"
        value={draft.attribute}
        none
        options={(attributes?.records ?? []).map(({ code, name }) => ({ value: code, label: name }))}
        {...closedBy('attribute')}
        onChange={(attribute) => onChange({ attribute })}
      />
      <NamesFields names={draft.names} onChange={(names) => onChange({ names })} />
      <FieldOwners owners={owners} nameOf={(field) => t(`sync-field.${field as 'name'}`)} />
    </>
  )
}
