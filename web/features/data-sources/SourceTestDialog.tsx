import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type DataSource,
  dataSources,
  isDatabase,
  isFileSource,
  type SourceTest,
  testDataSource,
  uploadSourceFile,
} from '#shared/contract/data-sources.ts'
import { call } from '../../platform/api.ts'
import { failureText } from '../../platform/failure-text.ts'
import { useCount } from '../../platform/format-number.ts'
import { notify } from '../../platform/notices.ts'
import { upload } from '../../platform/upload.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { FileDrop } from '../../ui/FileDrop.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { useSourceTableLabel } from '../../ui/use-source-table-label.ts'
import { fieldsOf } from './DataSourceForm.tsx'
import { refreshSources } from './data-source-queries.ts'

/** Tests the connection to a source, and shows its tables and a sample of one. */
export function SourceTestDialog({ source: initial, onClose }: { source: DataSource; onClose: () => void }) {
  const { t } = useTranslation()
  const [source, setSource] = useState(initial)
  const [selection, setSelection] = useState({ table: '', keyColumn: '' })
  const [isNewTable, setNewTable] = useState(false)
  const [file, setFile] = useState(source.file)
  /** Refreshes the list behind with the result of the test. */
  const close = () => {
    onClose()
    void refreshSources()
  }
  const isUpload = source.kind === 'csv-upload'
  const test = useQuery({
    queryKey: ['data-source-test', source.id, source.version, selection, file?.uploadedAt],
    queryFn: ({ signal }) =>
      call(testDataSource, { body: { ...fieldsOf(source), id: source.id, ...selection } }, { signal }),
    enabled: !isUpload || file !== null,
    // The selects stay, and the focus with them.
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const found = test.isPlaceholderData ? undefined : test.data
  return (
    <Dialog
      title={t('data-source.test-one', { name: source.name })}
      size="wide"
      onClose={close}
      actions={
        <>
          <button
            type="button"
            className="button"
            aria-disabled={test.isFetching || undefined}
            onClick={() => !test.isFetching && void test.refetch()}
          >
            {t('data-source.test-again')}
          </button>
          <button type="button" className="button button-primary" onClick={close}>
            {t('action.close')}
          </button>
        </>
      }
    >
      <div className="source-test">
        {isUpload && <UploadField source={source} file={file} onUploaded={setFile} />}
        <div role="status">
          {test.isFetching && !found && <Skeleton lines={5} />}
          {test.isError && <FailedBlock error={test.error} onRetry={() => void test.refetch()} />}
          {found && !found.isOk && (
            <p className="banner banner-danger">
              <Icon name="warning" /> {found.message}
            </p>
          )}
          {found?.hostKey && <HostKey source={source} found={found} hostKey={found.hostKey} onConfirmed={setSource} />}
          {found && <Steps steps={found.steps} />}
          {found?.isOk && <Verdict found={found} isUpload={isUpload} />}
        </div>
        {test.data && (test.data.isOk || test.data.tables.length > 0) && (
          <SourceContents
            found={test.data}
            isFormer={test.isPlaceholderData}
            isNewTable={isNewTable}
            selection={selection}
            kind={source.kind}
            onSelect={(change) => {
              setNewTable(change.table !== undefined)
              setSelection({ ...selection, ...change })
            }}
          />
        )}
      </div>
    </Dialog>
  )
}

type UploadProps = {
  source: DataSource
  file: DataSource['file']
  onUploaded: (file: DataSource['file']) => void
}

function UploadField({ source, file, onUploaded }: UploadProps) {
  const { t } = useTranslation()
  const number = useCount()
  const send = useMutation({
    mutationFn: (chosen: File) =>
      upload(uploadSourceFile, { id: source.id, fileName: chosen.name.slice(-255) }, chosen),
    onSuccess(saved) {
      onUploaded(saved.file)
      const rows = saved.file?.rows ?? 0
      notify('well', t('data-source.uploaded', { count: rows, rows: number(rows) }))
    },
  })
  return (
    <>
      <FileDrop
        label={t('data-source.file')}
        text={
          file
            ? t('data-source.file-now', { name: file.name, count: file.rows, rows: number(file.rows) })
            : t('data-source.file-none')
        }
        choose={send.isPending ? t('data-source.file-reading') : t('data-source.file-choose')}
        hint={t('data-source.file-limits')}
        accept=".csv,.xlsx,.txt,text/csv"
        isBusy={send.isPending}
        onFiles={([chosen]) => chosen && send.mutate(chosen)}
      />
      <Refused error={send.error} />
    </>
  )
}

function Verdict({ found, isUpload }: { found: SourceTest; isUpload: boolean }) {
  const { t } = useTranslation()
  return (
    <>
      <p className="source-verdict">
        <Icon name="check" />{' '}
        {t(isUpload ? 'data-source.file-format' : 'data-source.connected', { server: found.server })}
        {!isUpload && (
          <span className="muted">{t(found.isEncrypted ? 'data-source.encrypted' : 'data-source.plain')}</span>
        )}
      </p>
      {found.mayWrite === null && <p className="muted">{t('data-source.may-write-unknown')}</p>}
      {found.mayWrite && (
        <p className="source-warning caution-note">
          <Icon name="warning" /> {t('data-source.may-write')}
        </p>
      )}
    </>
  )
}

function Refused({ error }: { error: Error | null }) {
  if (!error) return null
  return (
    <p className="field-error" role="alert">
      {failureText(error)}
    </p>
  )
}

type HostKeyProps = {
  source: DataSource
  found: SourceTest
  hostKey: string
  onConfirmed: (source: DataSource) => void
}

/** An SFTP server's key: the first is confirmed here; a changed one has to be entered together with the secret. */
function HostKey({ source, found, hostKey, onConfirmed }: HostKeyProps) {
  const { t } = useTranslation()
  const confirm = useMutation({
    mutationFn: () => {
      const { id, version, options } = source
      const body = { ...fieldsOf(source), options: { ...options, hostKey }, version }
      return call(dataSources.update, { query: { id }, body })
    },
    async onSuccess(saved) {
      // Otherwise the row behind would be edited or deleted in a version that is no more.
      await refreshSources()
      onConfirmed(saved)
      notify('well', t('data-source.host-key-confirmed'))
    },
  })
  const isFirst = found.problem === 'host-key-unknown'
  return (
    <div className="source-host-key">
      <code>{hostKey}</code>
      <p className="muted">{t(isFirst ? 'data-source.host-key-check' : 'data-source.host-key-replace')}</p>
      {isFirst && (
        <button
          type="button"
          className="button"
          aria-disabled={confirm.isPending || undefined}
          onClick={() => !confirm.isPending && confirm.mutate()}
        >
          {t('data-source.host-key-confirm')}
        </button>
      )}
      <Refused error={confirm.error} />
    </div>
  )
}

/** Less would be shown as 0.0. */
const SHOWN_FROM_MS = 50

/** The steps of the test, and where it stopped. */
function Steps({ steps }: Pick<SourceTest, 'steps'>) {
  const { t } = useTranslation()
  return (
    <ol className="source-steps" aria-label={t('data-source.steps')}>
      {steps.map(({ step, isOk, milliseconds }) => (
        <li key={step} className={isOk ? undefined : 'is-failed'}>
          <Icon name={isOk ? 'check' : 'warning'} /> {t(`data-source-step.${step}`)}
          {!isOk && <span className="visually-hidden"> {t('data-source.step-failed')}</span>}
          {milliseconds >= SHOWN_FROM_MS && (
            <span className="muted">
              {t('data-source.step-seconds', { seconds: (milliseconds / 1000).toFixed(1) })}
            </span>
          )}
        </li>
      ))}
    </ol>
  )
}

type FoundProps = {
  found: SourceTest
  /** It is the answer before the one that is being awaited. */
  isFormer: boolean
  /** The last choice was a table: the columns are not its own until it has been read. */
  isNewTable: boolean
  selection: { table: string; keyColumn: string }
  kind: DataSource['kind']
  onSelect: (change: { table?: string; keyColumn?: string }) => void
}

function SourceContents({ found, isFormer, isNewTable, selection, kind, onSelect }: FoundProps) {
  const { t } = useTranslation()
  const tableLabel = useSourceTableLabel()
  const number = useCount()
  const { tables, columns, key, count, isWhole } = found
  return (
    <>
      <div className="source-asked">
        {!isFileSource(kind) && (
          <SelectField
            label={t('data-source.table')}
            value={selection.table}
            hint={isDatabase(kind) ? t('data-source.table-hint') : undefined}
            none={t('data-source.table-none')}
            options={tables.map((value) => ({
              value,
              label: tableLabel(kind, value),
            }))}
            onChange={(table) => onSelect({ table, keyColumn: '' })}
          />
        )}
        {columns.length > 0 && !(isFormer && isNewTable) && (
          <SelectField
            label={t('data-source.key')}
            value={selection.keyColumn}
            hint={t('data-source.key-hint')}
            none={t('data-source.key-none')}
            options={columns.map(({ name }) => ({ value: name, label: name }))}
            onChange={(keyColumn) => onSelect({ keyColumn })}
          />
        )}
      </div>
      {key && !isFormer && <KeyVerdict found={key} isWhole={isWhole} />}
      {columns.length > 0 && !isFormer && (
        <>
          <p className="muted">
            {t(isWhole ? 'data-source.sample' : 'data-source.sample-part', { count, shown: number(count) })}
          </p>
          <Sample found={found} />
        </>
      )}
    </>
  )
}

function KeyVerdict({ found, isWhole }: { found: NonNullable<SourceTest['key']>; isWhole: boolean }) {
  const { t } = useTranslation()
  const number = useCount()
  const { column, repeated, empty } = found
  const isGood = repeated === 0 && empty === 0
  return (
    <p className={isGood ? 'source-verdict' : 'source-warning caution-note'} role="status">
      <Icon name={isGood ? 'check' : 'warning'} />{' '}
      {isGood
        ? t(isWhole ? 'data-source.key-unique' : 'data-source.key-unique-part', { column })
        : t('data-source.key-not-unique', { column, repeated: number(repeated), empty: number(empty) })}
    </p>
  )
}

function Sample({ found: { columns, rows } }: { found: SourceTest }) {
  const { t } = useTranslation()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse.
    <section className="source-sample" tabIndex={0} aria-label={t('data-source.sample-label')}>
      <table>
        <thead>
          <tr>
            {columns.map(({ name, type, suggested }) => (
              <th scope="col" key={name}>
                {name}
                <span className="muted">{type}</span>
                {suggested && <span className="tag tag-plain">{t(`import-field.${suggested}`, suggested)}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name of their own, and never move.
            <tr key={at}>
              {columns.map(({ name }, column) => (
                <td key={name}>{row[column]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
