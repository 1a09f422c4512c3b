import { useTranslation } from 'react-i18next'
import {
  LOG_STREAM_KINDS,
  LOG_STREAM_TLS,
  type LogStream,
  type LogStreamFields,
  logStreams,
  SYSLOG_FACILITIES,
} from '#shared/contract/log-streams.ts'
import { RECORD_KINDS } from '#shared/contract/record-retention.ts'
import { SECRET_PLACEHOLDER } from '#shared/contract/stored-secret.ts'
import { notify } from '../../platform/notices.ts'
import { saveResource } from '../../platform/save-resource.ts'
import { ChoiceList } from '../../ui/ChoiceList.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { NameField } from '../../ui/NameField.tsx'
import { NoteField } from '../../ui/NoteField.tsx'
import { SecretField } from '../../ui/SecretField.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { TextAreaField } from '../../ui/TextAreaField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useEditedDraft } from '../../ui/use-edited-draft.ts'
import { refreshStreams } from './log-stream-queries.ts'
import { facilityName, streamWords } from './stream-words.ts'

/** What is typed; the port as text. */
type Draft = Omit<LogStreamFields, 'port'> & { port: string }

const EMPTY: Draft = {
  name: '',
  kind: 'syslog',
  logs: [...RECORD_KINDS],
  enabled: true,
  host: '',
  port: '',
  tls: 'verify',
  ca: '',
  facility: 13,
  url: '',
  secret: '',
  note: '',
}

function draftOf(stream: LogStream | null): Draft {
  if (!stream) return EMPTY
  const { name, kind, logs, enabled, host, port, tls, ca, facility, url, secret, note } = stream
  return { name, kind, logs, enabled, host, port: port ? String(port) : '', tls, ca, facility, url, secret, note }
}

type Props = {
  /** Null: a new one. */
  edited: LogStream | null
  onClose: () => void
}

export function LogStreamForm({ edited, onClose }: Props) {
  const { t } = useTranslation()
  const { loaded, draft, set, isDirty, conflictOf } = useEditedDraft(edited, draftOf)
  const save = async () => {
    // A refusal of what a hidden field has could be shown nowhere.
    const ca = draft.tls === 'verify' ? draft.ca : ''
    await saveResource(logStreams, loaded, { ...draft, ca, port: Number(draft.port) })
    await refreshStreams()
    notify('well', t('log-stream.saved', { name: draft.name }))
  }
  return (
    <FormDialog<LogStream>
      title={edited ? t('log-stream.edit-title', { name: edited.name }) : t('log-stream.create')}
      verb={t('action.save')}
      isDirty={isDirty}
      {...conflictOf(streamWords(t, loaded))}
      onSubmit={save}
      onClose={onClose}
    >
      <StreamFields draft={draft} set={set} edited={edited} />
    </FormDialog>
  )
}

type FieldsProps = { draft: Draft; set: (change: Partial<Draft>) => void; edited: LogStream | null }

function StreamFields({ draft, set, edited }: FieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <NameField label={t('log-stream.name')} value={draft.name} onChange={(name) => set({ name })} />
      <SelectField
        label={t('log-stream.kind')}
        name="kind"
        value={draft.kind}
        hint={t(`log-stream.kind-hint.${draft.kind}`)}
        options={LOG_STREAM_KINDS.map((value) => ({ value, label: t(`log-stream.kind.${value}`) }))}
        onChange={(kind) => kind && set({ kind })}
      />
      <ChoiceList
        label={t('log-stream.logs')}
        name="logs"
        value={draft.logs}
        hint={t('log-stream.logs-hint')}
        options={RECORD_KINDS.map((value) => ({ value, label: t(`record-retention.kind.${value}`) }))}
        onChange={(logs) => set({ logs })}
      />
      {draft.kind === 'syslog' ? (
        <SyslogFields draft={draft} set={set} />
      ) : (
        <EndpointFields draft={draft} set={set} edited={edited} />
      )}
      <Switch
        label={t('log-stream.enabled')}
        hint={t('log-stream.enabled-hint')}
        checked={draft.enabled}
        onChange={(enabled) => set({ enabled })}
      />
      <NoteField label={t('log-stream.note')} value={draft.note} onChange={(note) => set({ note })} />
    </>
  )
}

function SyslogFields({ draft, set }: Omit<FieldsProps, 'edited'>) {
  const { t } = useTranslation()
  return (
    <>
      <TextField
        label={t('log-stream.host')}
        name="host"
        value={draft.host}
        maxLength={255}
        onChange={(host) => set({ host })}
      />
      <TextField
        label={t('log-stream.port')}
        name="port"
        value={draft.port}
        inputMode="numeric"
        maxLength={5}
        placeholder={draft.tls === 'off' ? '514' : '6514'}
        isOptional
        onChange={(text) => set({ port: text.replace(/\D/g, '') })}
      />
      <SelectField
        label={t('log-stream.tls')}
        name="tls"
        value={draft.tls}
        hint={t(`log-stream.tls-hint.${draft.tls}`)}
        options={LOG_STREAM_TLS.map((value) => ({ value, label: t(`data-source.tls.${value}`) }))}
        onChange={(tls) => tls && set({ tls })}
      />
      {draft.tls === 'verify' && (
        <TextAreaField
          label={t('data-source.ca')}
          name="ca"
          value={draft.ca}
          maxLength={20_000}
          rows={3}
          hint={t('data-source.ca-hint')}
          placeholder="-----BEGIN CERTIFICATE-----"
          isOptional
          onChange={(ca) => set({ ca })}
        />
      )}
      <SelectField
        label={t('log-stream.facility')}
        name="facility"
        value={String(draft.facility)}
        options={SYSLOG_FACILITIES.map((value) => ({
          value: String(value),
          label: facilityName(value),
        }))}
        onChange={(facility) => facility && set({ facility: Number(facility) })}
      />
    </>
  )
}

function EndpointFields({ draft, set, edited }: FieldsProps) {
  const { t } = useTranslation()
  const isMoved = edited !== null && draft.url !== edited.url
  return (
    <>
      <TextField
        label={t('log-stream.url')}
        name="url"
        value={draft.url}
        maxLength={2000}
        isWide
        placeholder="https://"
        onChange={(url) => set({ url })}
      />
      <SecretField
        label={t('log-stream.secret')}
        name="secret"
        value={draft.secret}
        hint={t('log-stream.secret-hint')}
        secretNeeded={isMoved && draft.secret === SECRET_PLACEHOLDER ? t('errors.settings.secret-needed') : undefined}
        onChange={(secret) => set({ secret })}
      />
    </>
  )
}
