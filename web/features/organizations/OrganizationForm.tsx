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
import { listOrganizationAttributeOptions } from '#shared/contract/vocabularies.ts'
import { call } from '../../platform/api.ts'
import { useUser } from '../../platform/session.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { NamesFields } from '../../ui/NamesFields.tsx'
import type { Picked } from '../../ui/Picker.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import type { Done } from './OrganizationDialogs.tsx'
import { OrganizationPicker } from './OrganizationPicker.tsx'

type Draft = { name: string; code: string; attribute: string; names: Record<string, string> }

const EMPTY: Draft = { name: '', code: '', attribute: '', names: {} }

const draftOf = ({ name, code, attribute, names }: OrganizationDetails): Draft => ({
  name,
  code,
  attribute: attribute ?? '',
  names,
})

/** What the calls take of a draft: a language without a name is not named. */
function bodyOf({ name, code, attribute, names }: Draft) {
  const given = Object.entries(names).filter(([, text]) => text.trim() !== '')
  return { name, code, attribute: attribute || null, names: Object.fromEntries(given) }
}

type CreateProps = { parent: OrganizationNode | null; onDone: Done; onClose: () => void }

export function OrganizationCreate({ parent, onDone, onClose }: CreateProps) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState(EMPTY)
  const [below, setBelow] = useState<readonly Picked[]>(parent ? [{ id: parent.id, label: parent.name }] : [])
  const isSuperUser = useUser()?.isSuperUser === '1'
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
      <Fields draft={draft} onChange={setDraft} />
      <OrganizationPicker
        label={t('organization.parent')}
        name="parentId"
        {...(isSuperUser && { hint: t('organization.parent-hint') })}
        value={below}
        onChange={setBelow}
      />
    </FormDialog>
  )
}

type EditProps = { id: string; onDone: Done; onClose: () => void }

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
  onDone: Done
  onClose: () => void
}) {
  const { t } = useTranslation()
  const [loaded, setLoaded] = useState(first)
  const [draft, setDraft] = useState(draftOf(first))
  const submit = async () => {
    await call(updateOrganization, { query: { id: loaded.id }, body: { ...bodyOf(draft), version: loaded.version } })
    onDone(t('organization.changed', { name: draft.name }))
  }
  const takeTheirs = (current: OrganizationDetails) => {
    setLoaded(current)
    setDraft(draftOf(current))
  }
  const labels = { name: t('organization.name'), code: t('organization.code'), attribute: t('organization.attribute') }
  return (
    <FormDialog<OrganizationDetails>
      title={t('organization.edit-title', { name: first.name })}
      verb={t('action.save')}
      size="wide"
      isDirty={JSON.stringify(draft) !== JSON.stringify(draftOf(loaded))}
      conflict={{
        loaded,
        labels: { ...labels, names: t('organization.names') },
        onTakeTheirs: takeTheirs,
        onKeepMine: setLoaded,
      }}
      onSubmit={submit}
      onClose={onClose}
    >
      <Fields draft={draft} onChange={setDraft} />
    </FormDialog>
  )
}

function Fields({ draft, onChange }: { draft: Draft; onChange: (draft: Draft) => void }) {
  const { t, i18n } = useTranslation()
  const { data: attributes } = useQuery({
    queryKey: ['org-attribute', 'options', i18n.language],
    queryFn: ({ signal }) => call(listOrganizationAttributeOptions, {}, { signal }),
  })
  const set = (change: Partial<Draft>) => onChange({ ...draft, ...change })
  return (
    <>
      <TextField
        label={t('organization.name')}
        name="name"
        value={draft.name}
        maxLength={100}
        isFirst
        onChange={(name) => set({ name })}
      />
      <TextField
        label={t('organization.code')}
        name="code"
        hint={t('organization.code-hint')}
        value={draft.code}
        maxLength={64}
        onChange={(code) => set({ code })}
      />
      <SelectField
        label={t('organization.attribute')}
        name="attribute"
        value={draft.attribute}
        none
        options={(attributes?.records ?? []).map(({ code, name }) => ({ value: code, label: name }))}
        onChange={(attribute) => set({ attribute })}
      />
      <NamesFields names={draft.names} onChange={(names) => set({ names })} />
    </>
  )
}
