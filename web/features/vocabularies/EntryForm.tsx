import { useTranslation } from 'react-i18next'
import type { VocabularyEntry } from '#shared/contract/vocabularies.ts'
import { call } from '../../platform/api.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { NameAndCode } from '../../ui/NameAndCode.tsx'
import { givenNames, NamesFields } from '../../ui/NamesFields.tsx'
import { useEditedDraft } from '../../ui/use-edited-draft.ts'
import type { Vocabulary } from './vocabulary.ts'

type Draft = { code: string; name: string; names: Record<string, string> }

const draftOf = (entry: VocabularyEntry | null): Draft => ({
  code: entry?.code ?? '',
  name: entry?.name ?? '',
  names: entry?.names ?? {},
})

type Props = {
  vocabulary: Vocabulary
  /** Null: a new one. */
  entry: VocabularyEntry | null
  onDone: (text: string) => Promise<void>
  onClose: () => void
}

export function EntryForm({ vocabulary, entry, onDone, onClose }: Props) {
  const { t } = useTranslation()
  const { calls, key } = vocabulary
  const { loaded, draft, set, isDirty, conflictOf } = useEditedDraft(entry, draftOf)
  const submit = async () => {
    const { code, name } = draft
    const names = givenNames(draft.names)
    if (loaded) await call(calls.update, { query: { id: loaded.id }, body: { version: loaded.version, name, names } })
    else await call(calls.create, { body: { code, name, names } })
    await onDone(t('vocabulary.saved', { name }))
  }
  return (
    <FormDialog<VocabularyEntry>
      title={
        entry
          ? t('vocabulary.edit-one', { name: entry.shownName })
          : t('vocabulary.create-title', { title: t(`${key}.title`) })
      }
      verb={t('action.save')}
      size="wide"
      isDirty={isDirty}
      {...conflictOf({ labels: { name: t('vocabulary.name'), names: t('vocabulary.names') } })}
      onSubmit={submit}
      onClose={onClose}
    >
      <NameAndCode
        value={draft}
        onChange={set}
        codeHint={t(entry ? 'vocabulary.code-stays' : 'vocabulary.code-hint')}
        isCodeFixed={entry !== null}
      />
      <NamesFields names={draft.names} onChange={(names) => set({ names })} />
    </FormDialog>
  )
}
