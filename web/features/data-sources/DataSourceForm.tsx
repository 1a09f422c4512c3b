import { useTranslation } from 'react-i18next'
import {
  DATA_SOURCE_KINDS,
  DATA_SOURCE_TLS,
  type DataSource,
  type DataSourceFields,
  dataSources,
} from '#shared/contract/data-sources.ts'
import { call } from '../../platform/api.ts'
import { notify } from '../../platform/notices.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { TextAreaField } from '../../ui/TextAreaField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useEditedDraft } from '../../ui/use-edited-draft.ts'
import { refreshSources } from './data-source-queries.ts'

type Draft = Omit<DataSourceFields, 'port' | 'timeoutSeconds'> & { port: string; timeoutSeconds: string }

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
  note: '',
}

/** What is given of a source, without what is known of it. */
export function fieldsOf(source: DataSource): DataSourceFields {
  const { name, kind, host, port, database, user, password, tls, ca, timeoutSeconds, note } = source
  return { name, kind, host, port, database, user, password, tls, ca, timeoutSeconds, note }
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

/** What a conflict with somebody else's change shows. */
const COMPARED = ['name', 'kind', 'host', 'port', 'database', 'user', 'tls', 'note'] as const

type Props = {
  /** Null: a new one. */
  edited: DataSource | null
  onSaved: (source: DataSource) => void
  onClose: () => void
}

/** Where a source is and who reads it; the password is typed anew whenever it would go elsewhere. */
export function DataSourceForm({ edited, onSaved, onClose }: Props) {
  const { t } = useTranslation()
  const { loaded, draft, set, isDirty, conflictOf } = useEditedDraft(edited, draftOf)
  const labels = Object.fromEntries(COMPARED.map((name) => [name, t(`data-source.${name}`)]))
  // The dialog closes what is open when it is saved; the test opens after that.
  let saved: DataSource | null = null
  const save = async () => {
    const body = toFields(draft)
    const { id = '', version = 0 } = loaded ?? {}
    saved = loaded
      ? await call(dataSources.update, { query: { id }, body: { ...body, version } })
      : await call(dataSources.create, { body })
    await refreshSources()
    notify('well', t('data-source.saved', { name: draft.name }))
  }
  return (
    <FormDialog<DataSource>
      title={edited ? t('data-source.edit-one', { name: edited.name }) : t('data-source.create')}
      verb={t('data-source.save')}
      size="wide"
      isDirty={isDirty}
      {...conflictOf({ labels })}
      onSubmit={save}
      onClose={() => (saved ? onSaved(saved) : onClose())}
    >
      <TextField
        label={t('data-source.name')}
        name="name"
        value={draft.name}
        maxLength={100}
        isFirst
        onChange={(name) => set({ name })}
      />
      <SelectField
        label={t('data-source.kind')}
        name="kind"
        value={draft.kind}
        hint={t(`data-source.kind-hint.${draft.kind}`)}
        options={DATA_SOURCE_KINDS.map((value) => ({ value, label: t(`data-source.kind.${value}`) }))}
        onChange={(kind) => kind && set({ kind })}
      />
      {draft.kind !== 'csv-upload' && <DatabaseFields draft={draft} set={set} />}
      <TextAreaField
        label={t('data-source.note')}
        name="note"
        value={draft.note}
        maxLength={500}
        rows={2}
        isOptional
        onChange={(note) => set({ note })}
      />
    </FormDialog>
  )
}

const PORTS = { postgresql: '5432', mysql: '3306', 'csv-upload': '' } as const

function DatabaseFields({ draft, set }: { draft: Draft; set: (change: Partial<Draft>) => void }) {
  const { t } = useTranslation()
  const text = (name: 'host' | 'database' | 'user', hint?: string) => (
    <TextField
      label={t(`data-source.${name}`)}
      name={name}
      value={draft[name]}
      maxLength={255}
      {...(hint && { hint })}
      onChange={(value) => set({ [name]: value })}
    />
  )
  return (
    <>
      {text('host')}
      <TextField
        label={t('data-source.port')}
        name="port"
        value={draft.port}
        inputMode="numeric"
        maxLength={5}
        placeholder={PORTS[draft.kind]}
        isOptional
        onChange={(port) => set({ port: port.replace(/\D/g, '') })}
      />
      {text('database')}
      {text('user', t('data-source.user-hint'))}
      <TextField
        label={t('data-source.password')}
        name="password"
        type="password"
        value={draft.password}
        autoComplete="new-password"
        maxLength={512}
        hint={t('data-source.password-hint')}
        isOptional
        onChange={(password) => set({ password })}
      />
      <SelectField
        label={t('data-source.tls')}
        name="tls"
        value={draft.tls}
        hint={t(`data-source.tls-hint.${draft.tls}`)}
        options={DATA_SOURCE_TLS.map((value) => ({ value, label: t(`data-source.tls.${value}`) }))}
        onChange={(tls) => tls && set({ tls })}
      />
      <TextField
        label={t('data-source.timeout')}
        name="timeoutSeconds"
        value={draft.timeoutSeconds}
        inputMode="numeric"
        maxLength={3}
        onChange={(seconds) => set({ timeoutSeconds: seconds.replace(/\D/g, '') })}
      />
      {draft.tls === 'verify' && (
        <TextAreaField
          label={t('data-source.ca')}
          name="ca"
          value={draft.ca}
          maxLength={20_000}
          rows={3}
          placeholder="-----BEGIN CERTIFICATE-----"
          hint={t('data-source.ca-hint')}
          isOptional
          onChange={(ca) => set({ ca })}
        />
      )}
    </>
  )
}
