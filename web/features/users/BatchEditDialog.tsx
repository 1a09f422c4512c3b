import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type BatchAnswer, batchUpdateUsers } from '#shared/contract/user-verbs.ts'
import { call } from '../../platform/api.ts'
import { notify } from '../../platform/notices.ts'
import { Refusal } from '../../platform/refusal.ts'
import { DateTimeField } from '../../ui/DateTimeField.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Picker, type PickerOption } from '../../ui/Picker.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { selectionCount } from '../../ui/selection.ts'
import { ResultDialog } from './BatchResult.tsx'
import { refreshPeople, useReferenceOptions } from './people-queries.ts'
import { ORGANIZATION_PICKER } from './person-draft.ts'
import { batchSelection, type ChosenUsers } from './VerbDialog.tsx'

type Fields = {
  organization: readonly PickerOption[]
  categoryId: string
  personnelTypeId: string
  ends: '' | 'on' | 'never'
  validUntil: string | null
}
const NO_CHANGES: Fields = { organization: [], categoryId: '', personnelTypeId: '', ends: '', validUntil: null }

const toChanges = ({ organization, categoryId, personnelTypeId, ends, validUntil }: Fields) => ({
  ...(organization[0] && { organizationId: organization[0].id }),
  ...(categoryId && { categoryId }),
  ...(personnelTypeId && { personnelTypeId }),
  ...(ends === 'on' && validUntil && { validUntil }),
  ...(ends === 'never' && { validUntil: null }),
})

type Props = {
  chosen: ChosenUsers
  onClose: () => void
  onDone: () => void
  onTask?: ((taskId: string) => void) | undefined
}

/** Sets the same fields of many people; empty fields are left unchanged. */
export function BatchEditDialog({ chosen, onClose, onDone, onTask }: Props) {
  const { t } = useTranslation()
  const { categories, personnelTypes } = useReferenceOptions()
  const [fields, setFields] = useState(NO_CHANGES)
  const [answer, setAnswer] = useState<BatchAnswer | null>(null)
  const refused = useRef(false)
  const { organization, categoryId, personnelTypeId } = fields
  const change = (changes: Partial<Fields>) => setFields((before) => ({ ...before, ...changes }))
  const submit = async () => {
    const given = toChanges(fields)
    if (fields.ends === 'on' && !fields.validUntil) throw new Refusal(0, 'person.end-missing', t('person.ends.missing'))
    if (Object.keys(given).length === 0) throw new Refusal(0, 'person.nothing-given', t('person.edit-many.nothing'))
    const selection = batchSelection(chosen)
    const done = await call(batchUpdateUsers, { body: { selection, dryRun: false, fields: given } })
    refused.current = done.refusedCount > 0
    if (refused.current) setAnswer(done)
    onDone()
    await refreshPeople()
    if (done.taskId) return onTask ? onTask(done.taskId) : notify('plain', t('person.in-background'))
    notify('well', t('person.done.edit', { count: done.changed }))
  }
  if (answer) return <ResultDialog answer={answer} onClose={onClose} />
  return (
    <FormDialog
      title={t('person.edit-many', { count: selectionCount(chosen) })}
      verb={t('action.save')}
      onSubmit={submit}
      onClose={() => refused.current || onClose()}
      isDirty={fields !== NO_CHANGES}
    >
      <p>{t('person.edit-many.text')}</p>
      <Picker
        {...ORGANIZATION_PICKER}
        label={t('person-field.organizationId')}
        value={organization}
        onChange={(picked) => change({ organization: picked })}
      />
      <SelectField
        label={t('person-field.categoryId')}
        value={categoryId}
        options={categories}
        none={t('person.unchanged')}
        onChange={(value) => change({ categoryId: value })}
      />
      <SelectField
        label={t('person-field.personnelTypeId')}
        value={personnelTypeId}
        options={personnelTypes}
        none={t('person.unchanged')}
        onChange={(value) => change({ personnelTypeId: value })}
      />
      <EndFields value={fields} onChange={change} />
    </FormDialog>
  )
}

type EndProps = { value: Pick<Fields, 'ends' | 'validUntil'>; onChange: (changes: Partial<Fields>) => void }

function EndFields({ value: { ends, validUntil }, onChange }: EndProps) {
  const { t } = useTranslation()
  return (
    <>
      <SelectField
        label={t('person-field.validUntil')}
        value={ends}
        options={[
          { value: 'on', label: t('person.ends.on') },
          { value: 'never', label: t('person.ends.never') },
        ]}
        none={t('person.unchanged')}
        onChange={(value) => onChange({ ends: value as Fields['ends'] })}
      />
      {ends === 'on' && (
        <DateTimeField
          label={t('person.ends.on')}
          value={validUntil}
          onChange={(value) => onChange({ validUntil: value })}
        />
      )}
    </>
  )
}
