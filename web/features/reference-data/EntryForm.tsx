import { useTranslation } from 'react-i18next'
import type { ReferenceEntry } from '#shared/contract/reference-data.ts'
import { call } from '../../platform/api.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { NameAndCode } from '../../ui/NameAndCode.tsx'
import { givenNames, NamesFields } from '../../ui/NamesFields.tsx'
import { useEditedDraft } from '../../ui/use-edited-draft.ts'
import type { ReferenceList } from './reference-list.ts'

type Draft = { code: string; name: string; names: Record<string, string> }

const draftOf = (entry: ReferenceEntry | null): Draft => ({
  code: entry?.code ?? '',
  name: entry?.name ?? '',
  names: entry?.names ?? {},
})

type Props = {
  list: ReferenceList
  /** Null: a new entry. */
  entry: ReferenceEntry | null
  onDone: (text: string) => Promise<void>
  onClose: () => void
}

export function EntryForm({ list, entry, onDone, onClose }: Props) {
  const { t } = useTranslation()
  const { calls, key } = list
  const { loaded, draft, set, isDirty, conflictOf } = useEditedDraft(entry, draftOf)
  const submit = async () => {
    const { code, name } = draft
    const names = givenNames(draft.names)
    if (loaded) await call(calls.update, { query: { id: loaded.id }, body: { version: loaded.version, name, names } })
    else await call(calls.create, { body: { code, name, names } })
    await onDone(t('reference-data.saved', { name }))
  }
  return (
    <FormDialog<ReferenceEntry>
      title={
        entry
          ? t('reference-data.edit-one', { name: entry.shownName })
          : t('reference-data.create-title', { title: t(`${key}.title`) })
      }
      verb={t('action.save')}
      size="wide"
      isDirty={isDirty}
      {...conflictOf({ labels: { name: t('reference-data.name'), names: t('reference-data.names') } })}
      onSubmit={submit}
      onClose={onClose}
    >
      <NameAndCode
        value={draft}
        onChange={set}
        codeHint={t(entry ? 'reference-data.code-stays' : 'reference-data.code-hint')}
        isCodeFixed={entry !== null}
      />
      <NamesFields names={draft.names} onChange={(names) => set({ names })} />
    </FormDialog>
  )
}
