import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { VocabularyEntry } from '#shared/contract/vocabularies.ts'
import { call } from '../../platform/api.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { NamesFields } from '../../ui/NamesFields.tsx'
import { TextField } from '../../ui/TextField.tsx'
import type { Vocabulary } from './vocabulary.ts'

type Draft = { code: string; name: string; names: Record<string, string> }

const draftOf = (entry: VocabularyEntry | null): Draft => ({
  code: entry?.code ?? '',
  name: entry?.name ?? '',
  names: entry?.names ?? {},
})

const namesOf = ({ names }: Draft) => Object.fromEntries(Object.entries(names).filter(([, text]) => text.trim() !== ''))

type Props = {
  vocabulary: Vocabulary
  /** Null: a new one. */
  entry: VocabularyEntry | null
  onDone: (text: string) => Promise<void>
  onClose: () => void
}

export function EntryForm({ vocabulary, entry, onDone, onClose }: Props) {
  const { t } = useTranslation()
  const { calls } = vocabulary
  const [loaded, setLoaded] = useState(entry)
  const [draft, setDraft] = useState(draftOf(entry))
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change })
  const submit = async () => {
    const { code, name } = draft
    const names = namesOf(draft)
    if (loaded) await call(calls.update, { query: { id: loaded.id }, body: { version: loaded.version, name, names } })
    else await call(calls.create, { body: { code, name, names } })
    await onDone(t('vocabulary.saved', { name }))
  }
  return (
    <FormDialog<VocabularyEntry>
      title={entry ? t('vocabulary.edit-one', { name: entry.shownName }) : t('vocabulary.create')}
      verb={t('action.save')}
      size="wide"
      isDirty={JSON.stringify(draft) !== JSON.stringify(draftOf(loaded))}
      {...(loaded && {
        conflict: {
          loaded,
          labels: { name: t('vocabulary.name'), names: t('vocabulary.names') },
          onTakeTheirs: (current: VocabularyEntry) => {
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
        label={t('vocabulary.name')}
        name="name"
        value={draft.name}
        maxLength={100}
        isFirst
        onChange={(name) => set({ name })}
      />
      <TextField
        label={t('vocabulary.code')}
        name="code"
        value={draft.code}
        maxLength={64}
        disabled={entry !== null}
        hint={t(entry ? 'vocabulary.code-stays' : 'vocabulary.code-hint')}
        onChange={(code) => set({ code })}
      />
      <NamesFields names={draft.names} onChange={(names) => set({ names })} />
    </FormDialog>
  )
}
