import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { bindApplications, SUBJECT_KINDS, type SubjectKind } from '#shared/contract/application-grants.ts'
import { type OrganizationFound, searchOrganizations } from '#shared/contract/organizations.ts'
import { type ReferenceEntry, userCategories } from '#shared/contract/reference-data.ts'
import { roleOptions } from '#shared/contract/roles.ts'
import { call } from '../../platform/api.ts'
import { notify } from '../../platform/notices.ts'
import { DateTimeField } from '../../ui/DateTimeField.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Picker, type PickerOption } from '../../ui/Picker.tsx'
import { PERSON_PICKER } from '../../ui/person-picker.ts'
import { SelectField } from '../../ui/SelectField.tsx'
import { GrantImpact } from './GrantImpact.tsx'
import { refreshGrants } from './grant-queries.ts'

type Props = { appId: string; name: string; onClose: () => void }
type Draft = {
  kind: SubjectKind
  members: readonly PickerOption[]
  validFrom: string | null
  validUntil: string | null
}
const EMPTY: Draft = { kind: 'role', members: [], validFrom: null, validUntil: null }

/** Grants one application to subjects of one kind. */
export function AddGrantDialog({ appId, name, onClose }: Props) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState(EMPTY)
  const [isMissing, setMissing] = useState(false)
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change })
  const { kind, members, validFrom, validUntil } = draft
  const submit = async () => {
    setMissing(members.length === 0)
    if (members.length === 0) throw new Error('nobody is chosen')
    let changed = 0
    try {
      for (const { id } of members) {
        const done = await call(bindApplications, { body: { memberId: id, appIds: [appId], validFrom, validUntil } })
        changed += done.changed
      }
    } finally {
      await refreshGrants()
    }
    notify('well', t('authorise.given', { count: changed }))
  }
  const choose = (next: PickerOption[]) => {
    setMissing(false)
    set({ members: next })
  }
  return (
    <FormDialog
      title={t('grant.add.title', { name })}
      verb={t('grant.add.verb')}
      size="wide"
      isDirty={draft !== EMPTY}
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField<SubjectKind>
        label={t('grant.kind')}
        value={kind}
        options={SUBJECT_KINDS.map((value) => ({ value, label: t(`subject-kind.${value}`) }))}
        onChange={(next) => next !== '' && set({ kind: next, members: [] })}
      />
      <MemberPicker
        key={kind}
        kind={kind}
        value={members}
        error={isMissing && members.length === 0 ? t('grant.add.choose') : undefined}
        onChange={choose}
      />
      <GrantImpact apps={[{ appId, name }]} memberIds={members.map(({ id }) => id)} change="give" />
      <DateTimeField
        label={t('authorise.valid-from')}
        name="validFrom"
        isOptional
        value={validFrom}
        onChange={(next) => set({ validFrom: next })}
      />
      <DateTimeField
        label={t('authorise.valid-until')}
        name="validUntil"
        isOptional
        hint={t('grant.dates.hint')}
        value={validUntil}
        onChange={(next) => set({ validUntil: next })}
      />
    </FormDialog>
  )
}

type PickerProps = {
  kind: SubjectKind
  value: readonly PickerOption[]
  error: string | undefined
  onChange: (value: PickerOption[]) => void
}

type Named = { id: string; code: string; name: string }
const toEntry = ({ id, code, shownName }: ReferenceEntry): PickerOption => ({ id, label: shownName, hint: code })
const toPicked = ({ id, code, name }: Named): PickerOption => ({ id, label: name, hint: code })

function MemberPicker({ kind, ...rest }: PickerProps) {
  const { t } = useTranslation()
  const common = { label: t('grant.member'), multiple: true, ...rest }
  if (kind === 'role') return <Picker<Named> {...common} endpoint={roleOptions} toOption={toPicked} />
  if (kind === 'category')
    return <Picker<ReferenceEntry> {...common} endpoint={userCategories.list} toOption={toEntry} />
  if (kind === 'organization') {
    return (
      <Picker<OrganizationFound>
        {...common}
        endpoint={searchOrganizations}
        toOption={({ id, name, path }) => ({ id, label: name, hint: path.map((step) => step.name).join(' / ') })}
      />
    )
  }
  return <Picker {...common} {...PERSON_PICKER} />
}
