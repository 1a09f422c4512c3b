import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type OrganizationFound, searchOrganizations } from '#shared/contract/organizations.ts'
import { type ReferenceEntry, userCategories } from '#shared/contract/reference-data.ts'
import { addRoleMembers, type RoleMemberKind } from '#shared/contract/roles.ts'
import { call } from '../../platform/api.ts'
import { notify } from '../../platform/notices.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Picker, type PickerOption } from '../../ui/Picker.tsx'
import { PERSON_PICKER } from '../../ui/person-picker.ts'
import { refreshRoles } from './role-queries.ts'

type Props = { roleId: string; kind: RoleMemberKind; onClose: () => void }

export function AddMembersDialog({ roleId, kind, onClose }: Props) {
  const { t } = useTranslation()
  const [members, setMembers] = useState<readonly PickerOption[]>([])
  const [isMissing, setMissing] = useState(false)
  const submit = async () => {
    setMissing(members.length === 0)
    if (members.length === 0) throw new Error('nobody is chosen')
    const ids = members.map(({ id }) => id)
    const { changed } = await call(addRoleMembers, { query: { id: roleId }, body: { kind, ids } })
    await refreshRoles()
    notify('well', t('role-member.added', { count: changed }))
  }
  const field = {
    label: t(`subject-kind.${kind}`),
    multiple: true,
    value: members,
    error: isMissing && members.length === 0 ? t('role-member.choose') : undefined,
    onChange: setMembers,
  }
  return (
    <FormDialog
      title={t('role-member.add')}
      verb={t('role-member.add.verb')}
      isDirty={members.length > 0}
      onSubmit={submit}
      onClose={onClose}
    >
      {kind === 'user' && <Picker {...field} {...PERSON_PICKER} />}
      {kind === 'organization' && (
        <Picker<OrganizationFound> {...field} endpoint={searchOrganizations} toOption={organization} />
      )}
      {kind === 'category' && <Picker<ReferenceEntry> {...field} endpoint={userCategories.list} toOption={category} />}
    </FormDialog>
  )
}

const organization = ({ id, name, path }: OrganizationFound): PickerOption => ({
  id,
  label: name,
  hint: path.map((step) => step.name).join(' / '),
})
const category = ({ id, code, shownName }: ReferenceEntry): PickerOption => ({ id, label: shownName, hint: code })
