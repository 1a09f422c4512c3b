import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Endpoint } from '#shared/contract/endpoint.ts'
import {
  deleteLogExport,
  downloadLogExport,
  exportLogins,
  exportVisits,
  LOG_EXPORT_DAYS,
  type LogExport,
  listLogExports,
  MAX_LOG_EXPORT_ROWS,
} from '#shared/contract/log-exports.ts'
import { call } from '../../platform/api.ts'
import { download } from '../../platform/download.ts'
import { failureText } from '../../platform/failure-text.ts'
import { useCount } from '../../platform/format-number.ts'
import { formatDateTime } from '../../platform/format-time.ts'
import { notifyFailure } from '../../platform/notify-failure.ts'
import { queryClient } from '../../platform/queries.ts'
import { ChoiceList } from '../../ui/ChoiceList.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { LeaveButton } from '../../ui/LeaveButton.tsx'
import type { Column } from '../../ui/list-table.types.ts'
import { RadioCards } from '../../ui/RadioCards.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { RefusalLine } from '../../ui/SubmitForm.tsx'
import { Time } from '../../ui/Time.tsx'
import type { LogKind } from './log-columns.tsx'
import './log-export.css'
import '../../ui/form-dialog.css'

const EXPORTS_KEY = 'log-exports'
const POLL_INTERVAL_MS = 2000

type Props = {
  kind: LogKind
  /** The filters of the list. */
  listed: Record<string, string>
  columns: readonly Pick<Column<never>, 'key' | 'title'>[]
  shown: readonly string[]
  onClose: () => void
}

const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone
const zones = () => {
  const [own, all] = [ownZone(), ['UTC', ...Intl.supportedValuesOf('timeZone')]]
  return [own, ...all.filter((zone) => zone !== own)].map((value) => ({ value, label: value }))
}

/** Exports the filtered log to a file in the background, and lists earlier files. */
export function LogExportDialog({ kind, listed, columns, shown, onClose }: Props) {
  const { t } = useTranslation()
  const number = useCount()
  const [format, setFormat] = useState<'csv' | 'xlsx'>('xlsx')
  const [timeZone, setTimeZone] = useState(ownZone)
  const [chosen, setChosen] = useState<readonly string[]>(shown)
  const start = useMutation({
    mutationFn: () => {
      const endpoint: Endpoint = kind === 'login' ? exportLogins : exportVisits
      const ordered = columns.map(({ key }) => key).filter((key) => chosen.includes(key))
      return call(endpoint, { body: { filters: listed, columns: ordered, format, timeZone } })
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: [EXPORTS_KEY] }),
  })
  const isReady = chosen.length > 0 && !start.isPending
  return (
    <Dialog
      title={t('log-export.title')}
      size="wide"
      onClose={onClose}
      actions={
        <>
          <LeaveButton verb="close" onLeave={onClose} />
          <button
            type="button"
            className="button button-primary"
            aria-disabled={!isReady}
            onClick={() => isReady && start.mutate()}
          >
            {t('log-export.start')}
          </button>
        </>
      }
    >
      <div className="form-dialog">
        <p className="muted">
          {t('log-export.explain', { rows: number(MAX_LOG_EXPORT_ROWS), days: number(LOG_EXPORT_DAYS) })}
        </p>
        <RadioCards
          legend={t('log-export.format')}
          value={format}
          options={[
            { value: 'xlsx', label: t('list.export.xlsx') },
            { value: 'csv', label: t('list.export.csv') },
          ]}
          onChange={setFormat}
        />
        <SelectField
          label={t('log-export.zone')}
          value={timeZone}
          options={zones()}
          onChange={(zone) => setTimeZone(zone)}
          isWide
        />
        <ChoiceList
          label={t('log-export.columns')}
          name="columns"
          value={chosen}
          options={columns.map(({ key, title }) => ({ value: key, label: title }))}
          onChange={setChosen}
        />
        {start.error && <RefusalLine>{failureText(start.error)}</RefusalLine>}
      </div>
      <PastExports kind={kind} />
    </Dialog>
  )
}

const isUnderWay = ({ state }: LogExport) => ['queued', 'reading', 'writing'].includes(state)

function PastExports({ kind }: { kind: LogKind }) {
  const { t, i18n } = useTranslation()
  const { data } = useQuery({
    queryKey: [EXPORTS_KEY, kind, i18n.language],
    queryFn: ({ signal, client }) => {
      const background = client.getQueryData([EXPORTS_KEY, kind, i18n.language]) !== undefined
      return call(listLogExports, { query: { log: kind } }, { signal, background })
    },
    refetchInterval: ({ state }) => (state.data?.records.some(isUnderWay) ? POLL_INTERVAL_MS : false),
  })
  return (
    <section className="log-exports" aria-labelledby="log-exports">
      <h3 id="log-exports">{t('log-export.mine')}</h3>
      {data?.records.length === 0 && <p className="muted">{t('log-export.none')}</p>}
      <ul>
        {data?.records.map((one) => (
          <ExportLine key={one.id} one={one} />
        ))}
      </ul>
    </section>
  )
}

function ExportLine({ one }: { one: LogExport }) {
  const { t, i18n } = useTranslation()
  const number = useCount()
  const time = (iso: string) => formatDateTime(new Date(iso), i18n.language)
  const name = `${t(one.log === 'login' ? 'login-log.title' : 'app-visit-log.title')} ${time(one.createdAt)}`
  const save = useMutation({
    mutationFn: () => download(downloadLogExport, { id: one.id }, `${name.replace(/[/:]/g, '-')}.${one.format}`),
    onError: notifyFailure,
  })
  const remove = useMutation({
    mutationFn: () => call(deleteLogExport, { query: { id: one.id } }),
    onError: notifyFailure,
    onSettled: () => queryClient.invalidateQueries({ queryKey: [EXPORTS_KEY] }),
  })
  const verb = t(isUnderWay(one) ? 'log-export.stop' : 'log-export.delete')
  return (
    <li>
      <div className="log-export-line">
        <strong>
          <Time value={one.createdAt} />
        </strong>
        <span className={one.state === 'failed' ? 'tag tag-caution' : 'tag tag-plain'}>
          {t(`log-export.state.${one.state}`)}
        </span>
        <span className="muted">
          {one.format} · {one.timeZone}
        </span>
        <span className="tabular">{t('log-export.records', { count: one.rows, total: number(one.rows) })}</span>
        {one.bytes !== null && <span className="muted tabular">{formatMegabytes(one.bytes, i18n.language)}</span>}
        <span className="log-export-verbs">
          {one.state === 'ready' && (
            <button
              type="button"
              className="button"
              aria-label={`${t('log-export.download')} ${time(one.createdAt)}`}
              aria-disabled={save.isPending}
              onClick={() => save.isPending || save.mutate()}
            >
              {t('log-export.download')}
            </button>
          )}
          <button
            type="button"
            className="button button-quiet"
            aria-label={`${verb} ${time(one.createdAt)}`}
            onClick={() => remove.isPending || remove.mutate()}
          >
            {verb}
          </button>
        </span>
      </div>
      {isUnderWay(one) && <progress max={100} value={one.percent} aria-label={t(`log-export.state.${one.state}`)} />}
      {one.cutAt && <p>{t('log-export.cut', { time: time(one.cutAt) })}</p>}
      {one.sha256 && (
        <p className="muted log-export-hash">
          SHA-256 <code>{one.sha256}</code> · {t('log-export.until', { time: time(one.expiresAt) })}
        </p>
      )}
    </li>
  )
}

const formatMegabytes = (bytes: number, language: string) =>
  new Intl.NumberFormat(language.replace('_', '-'), {
    style: 'unit',
    unit: bytes < 1e6 ? 'kilobyte' : 'megabyte',
    maximumFractionDigits: 1,
  }).format(bytes / (bytes < 1e6 ? 1e3 : 1e6))
