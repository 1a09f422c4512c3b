import { useTranslation } from 'react-i18next'
import { changeNickname, type PersonalData } from '#shared/contract/profile.ts'
import { canonicalNickname, countGraphemes, MAX_NICKNAME_LENGTH, nicknameProblem } from '#shared/rules/nickname.ts'
import { call } from '../../platform/api.ts'
import { updateUser } from '../../platform/session.ts'
import { Field } from '../../ui/Field.tsx'
import { SectionForm } from './SectionForm.tsx'
import { type OnDirty, useDraft, useSave } from './use-personal-data.ts'

export function NicknameSection({ person, onDirty }: { person: PersonalData; onDirty: OnDirty }) {
  const { t } = useTranslation()
  const draft = useDraft('nickname', person.nick ?? '', onDirty)
  const tidy = canonicalNickname(draft.value)
  const count = countGraphemes(tidy)
  const problem = nicknameProblem(tidy)
  const save = useSave(
    async (nick: string) => {
      const body = { nick, version: person.version }
      const { version } = await call(changeNickname, { query: { id: person.userId }, body })
      return { version, nick: nick || null }
    },
    (nick) => {
      draft.discard()
      updateUser({ nick: nick || null })
    },
  )
  return (
    <SectionForm
      title={t('personal-data.nickname')}
      isDirty={draft.isDirty}
      isSaving={save.isPending}
      error={save.message}
      onSave={() => problem || save.mutate(tidy)}
      onDiscard={() => {
        draft.discard()
        save.reset()
      }}
    >
      <Field
        label={t('personal-data.nickname.label')}
        hint={t('personal-data.nickname.hint')}
        error={problem ? t(`personal-data.nickname.${problem}`, { most: MAX_NICKNAME_LENGTH }) : undefined}
      >
        {(aria) => (
          <span className="personal-counted">
            <input
              {...aria}
              className="input"
              autoComplete="nickname"
              value={draft.value}
              onChange={(event) => draft.change(event.target.value)}
            />
            <span className={problem === 'too-long' ? 'field-error tabular' : 'muted tabular'} aria-hidden="true">
              {count} / {MAX_NICKNAME_LENGTH}
            </span>
          </span>
        )}
      </Field>
    </SectionForm>
  )
}
