import { useTranslation } from 'react-i18next'
import { changeCustomField, type PersonalData } from '#shared/contract/profile.ts'
import { call } from '../../platform/api.ts'
import { CustomValueField } from '../../ui/CustomValueField.tsx'
import { SectionForm } from './SectionForm.tsx'
import { type OnDirty, useDraft, useSave } from './use-personal-data.ts'

type Props = { person: PersonalData; at: PersonalData['custom'][number]; onDirty: OnDirty }

/** A custom field that the person may edit. */
export function CustomFieldSection({ person, at: { field, value }, onDirty }: Props) {
  const { t } = useTranslation()
  const draft = useDraft(field.name, value ?? '', onDirty)
  const save = useSave(
    async (typed: string) => {
      const body = { key: field.key, value: typed || null, version: person.version }
      const saved = await call(changeCustomField, { query: { id: person.userId }, body })
      const isThis = (one: PersonalData['custom'][number]) => one.field.key === field.key
      return {
        version: saved.version,
        custom: person.custom.map((one) => (isThis(one) ? { ...one, value: saved.value } : one)),
      }
    },
    () => draft.discard(),
  )
  return (
    <SectionForm
      title={field.label}
      isDirty={draft.isDirty}
      isSaving={save.isPending}
      error={save.message}
      onSave={() => save.mutate(draft.value)}
      onDiscard={() => {
        draft.discard()
        save.reset()
      }}
    >
      <CustomValueField
        field={{ ...field, label: t('custom-field.value') }}
        value={draft.value}
        isRequired={field.isRequired}
        onChange={draft.change}
      />
    </SectionForm>
  )
}
