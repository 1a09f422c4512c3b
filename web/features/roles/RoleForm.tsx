import { useTranslation } from 'react-i18next'
import { createRole, type RoleDetails, updateRole } from '#shared/contract/roles.ts'
import { notify } from '../../platform/notices.ts'
import { saveResource } from '../../platform/save-resource.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { NameAndCode } from '../../ui/NameAndCode.tsx'
import { givenNames, NamesFields } from '../../ui/NamesFields.tsx'
import { TextAreaField } from '../../ui/TextAreaField.tsx'
import { useEditedDraft } from '../../ui/use-edited-draft.ts'
import { refreshRoles } from './role-queries.ts'

type Draft = { code: string; name: string; names: Record<string, string>; description: string }

const draftOf = (role: RoleDetails | null): Draft => ({
  code: role?.code ?? '',
  name: role?.name ?? '',
  names: role?.names ?? {},
  description: role?.description ?? '',
})

const fieldsOf = ({ names, ...rest }: Draft) => ({ ...rest, names: givenNames(names) })

type Props = {
  /** Null: a new role. */
  edited: RoleDetails | null
  onClose: () => void
}

/** The names of a role in each language, its code and its description. */
export function RoleForm({ edited, onClose }: Props) {
  const { t } = useTranslation()
  const { loaded, draft, set, isDirty, conflictOf } = useEditedDraft(edited, draftOf)
  const submit = async () => {
    await saveResource({ create: createRole, update: updateRole }, loaded, fieldsOf(draft))
    await refreshRoles()
    notify('well', t(loaded ? 'role.saved' : 'role.created', { name: draft.name }))
  }
  return (
    <FormDialog<RoleDetails>
      title={t(edited ? 'role.edit.title' : 'role.create')}
      verb={t(edited ? 'role.save' : 'role.create.verb')}
      size="wide"
      isDirty={isDirty}
      {...conflictOf({
        labels: { name: t('role.name'), code: t('role.code'), description: t('role.description') },
      })}
      onSubmit={submit}
      onClose={onClose}
    >
      <NameAndCode value={draft} onChange={set} codeHint={t('role.code.hint')} />
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
