import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { createRole, type RoleDetails, updateRole } from '#shared/contract/roles.ts'
import { call } from '../../platform/api.ts'
import { notify } from '../../platform/notices.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { NamesFields } from '../../ui/NamesFields.tsx'
import { TextAreaField } from '../../ui/TextAreaField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { refreshRoles } from './role-keys.ts'

type Draft = { code: string; name: string; names: Record<string, string>; description: string }

const draftOf = (role: RoleDetails | null): Draft => ({
  code: role?.code ?? '',
  name: role?.name ?? '',
  names: role?.names ?? {},
  description: role?.description ?? '',
})

const fieldsOf = ({ names, ...rest }: Draft) => ({
  ...rest,
  names: Object.fromEntries(Object.entries(names).filter(([, text]) => text.trim() !== '')),
})

type Props = {
  /** Null: a new one. */
  edited: RoleDetails | null
  onClose: () => void
}

/** The names of a role in the languages, its code and what it is for. */
export function RoleForm({ edited, onClose }: Props) {
  const { t } = useTranslation()
  const [loaded, setLoaded] = useState(edited)
  const [draft, setDraft] = useState(draftOf(edited))
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change })
  const submit = async () => {
    const fields = fieldsOf(draft)
    if (loaded) await call(updateRole, { query: { id: loaded.id }, body: { ...fields, version: loaded.version } })
    else await call(createRole, { body: fields })
    await refreshRoles()
    notify('well', t(loaded ? 'role.saved' : 'role.created', { name: draft.name }))
  }
  return (
    <FormDialog<RoleDetails>
      title={t(edited ? 'role.edit.title' : 'role.create')}
      verb={t(edited ? 'role.save' : 'role.create.verb')}
      size="wide"
      isDirty={JSON.stringify(draft) !== JSON.stringify(draftOf(loaded))}
      {...(loaded && {
        conflict: {
          loaded,
          labels: { name: t('role.name'), code: t('role.code'), description: t('role.description') },
          onTakeTheirs: (current: RoleDetails) => {
            setLoaded(current)
            setDraft(draftOf(current))
          },
          onKeepMine: setLoaded,
        },
      })}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={t('role.name')}
        name="name"
        value={draft.name}
        maxLength={100}
        isFirst
        onChange={(name) => set({ name })}
      />
      <TextField
        label={t('role.code')}
        name="code"
        value={draft.code}
        maxLength={64}
        hint={t('role.code.hint')}
        onChange={(code) => set({ code })}
      />
      <NamesFields names={draft.names} onChange={(names) => set({ names })} />
      <TextAreaField
        label={t('role.description')}
        name="description"
        value={draft.description}
        maxLength={500}
        isOptional
        onChange={(description) => set({ description })}
      />
    </FormDialog>
  )
}
