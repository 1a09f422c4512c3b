import { useTranslation } from 'react-i18next'
import { NO_OPTIONS } from '#shared/contract/data-source-options.ts'
import {
  DATA_SOURCE_KINDS,
  type DataSource,
  type DataSourceFields,
  dataSources,
} from '#shared/contract/data-sources.ts'
import { notify } from '../../platform/notices.ts'
import { saveResource } from '../../platform/save-resource.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { NameField } from '../../ui/NameField.tsx'
import { NoteField } from '../../ui/NoteField.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { useEditedDraft } from '../../ui/use-edited-draft.ts'
import { refreshSources } from './data-source-queries.ts'
import { type Draft, SourceFields } from './SourceFields.tsx'
import { SOURCE_FORMS } from './source-forms.ts'
import { sourceWords } from './source-words.ts'

const EMPTY: DataSourceFields = {
  name: '',
  kind: 'postgresql',
  host: '',
  port: 0,
  database: '',
  user: '',
  password: '',
  tls: 'verify',
  ca: '',
  timeoutSeconds: 60,
  options: NO_OPTIONS,
  note: '',
}

/** The editable fields of a source. */
export function fieldsOf(source: DataSource): DataSourceFields {
  const { name, kind, host, port, database, user, password, tls, ca, timeoutSeconds, options, note } = source
  return { name, kind, host, port, database, user, password, tls, ca, timeoutSeconds, options, note }
}

function draftOf(source: DataSource | null): Draft {
  const { port, timeoutSeconds, ...rest } = source ? fieldsOf(source) : EMPTY
  return { ...rest, port: port ? String(port) : '', timeoutSeconds: String(timeoutSeconds) }
}

const toFields = ({ port, timeoutSeconds, ...rest }: Draft): DataSourceFields => ({
  ...rest,
  port: Number(port),
  timeoutSeconds: Number(timeoutSeconds),
})

type Props = {
  /** Null: a new one. */
  edited: DataSource | null
  onSaved: (source: DataSource) => void
  onClose: () => void
}

/** Address and account of a source; the password must be entered again if it would be sent elsewhere. */
export function DataSourceForm({ edited, onSaved, onClose }: Props) {
  const { t } = useTranslation()
  const { loaded, draft, set, isDirty, conflictOf } = useEditedDraft(edited, draftOf)
  // The form closes after saving; the test opens after that.
  let saved: DataSource | null = null
  const save = async () => {
    saved = await saveResource(dataSources, loaded, toFields(draft))
    await refreshSources()
    notify('well', t('data-source.saved', { name: draft.name }))
  }
  return (
    <FormDialog<DataSource>
      title={edited ? t('data-source.edit-one', { name: edited.name }) : t('data-source.create')}
      verb={t('data-source.save')}
      size="wide"
      isDirty={isDirty}
      {...conflictOf(sourceWords(t))}
      onSubmit={save}
      onClose={() => (saved ? onSaved(saved) : onClose())}
    >
      <NameField label={t('data-source.name')} value={draft.name} onChange={(name) => set({ name })} />
      <SelectField
        label={t('data-source.kind')}
        name="kind"
        value={draft.kind}
        hint={t(`data-source.kind-hint.${draft.kind}`)}
        options={DATA_SOURCE_KINDS.map((value) => ({ value, label: t(`data-source.kind.${value}`) }))}
        onChange={(kind) => kind && set({ kind, options: { ...draft.options, ...SOURCE_FORMS[kind].initial } })}
      />
      <SourceFields draft={draft} set={set} />
      <NoteField label={t('data-source.note')} value={draft.note} onChange={(note) => set({ note })} />
    </FormDialog>
  )
}
