import { useTranslation } from 'react-i18next'
import { changeGender, GENDERS, type PersonalData } from '#shared/contract/profile.ts'
import { call } from '../../platform/api.ts'
import { SectionForm } from './SectionForm.tsx'
import { type OnDirty, useDraft, useSave } from './use-personal-data.ts'

export function GenderSection({ person, onDirty }: { person: PersonalData; onDirty: OnDirty }) {
  const { t } = useTranslation()
  const draft = useDraft('gender', person.gender, onDirty)
  const save = useSave(async (gender: PersonalData['gender']) => {
    const body = { gender, version: person.version }
    const { version } = await call(changeGender, { query: { id: person.userId }, body })
    return { version, gender }
  }, draft.discard)
  return (
    <SectionForm
      title={t('personal-data.gender')}
      isDirty={draft.isDirty}
      isSaving={save.isPending}
      error={save.message}
      onSave={() => save.mutate(draft.value)}
      onDiscard={() => {
        draft.discard()
        save.reset()
      }}
    >
      <fieldset className="personal-choices">
        <legend className="visually-hidden">{t('personal-data.gender')}</legend>
        {GENDERS.map((gender) => (
          <label key={gender}>
            <input
              type="radio"
              name="gender"
              value={gender}
              checked={draft.value === gender}
              onChange={() => draft.change(gender)}
            />
            {t(`personal-data.gender.${gender}`)}
          </label>
        ))}
      </fieldset>
    </SectionForm>
  )
}
