import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Endpoint } from '#shared/contract/endpoint.ts'
import { EXPORT_TRUNCATED_HEADER, MAX_EXPORTED_ROWS } from '#shared/contract/records.ts'
import { download } from '../platform/download.ts'
import { useCount } from '../platform/format-number.ts'
import { notify } from '../platform/notices.ts'
import { notifyFailure } from '../platform/notify-failure.ts'
import { serverNow } from '../platform/server-clock.ts'
import { Dialog } from './Dialog.tsx'
import { Icon } from './Icon.tsx'
import { formatDay } from './list-filter.ts'
import { MenuButton } from './MenuButton.tsx'

type Format = 'csv' | 'xlsx'
type Rows = { total: number; totalIsLowerBound?: boolean | undefined }

type Props = {
  /** The number of rows in the file; absent while the list loads. */
  rows: Rows | undefined
  /** The file name, before the date. */
  title: string
  endpoint: Endpoint
  /** The current filters of the list. */
  query: Record<string, unknown>
}

/** From this number on a confirmation is asked: the file takes minutes, and so does opening it. */
const MANY = 50_000

const areMany = ({ total, totalIsLowerBound = false }: Rows): boolean => totalIsLowerBound || total > MANY

/** Exports the filtered list. Times are in this browser's zone. */
export function ExportMenu({ rows, title, endpoint, query }: Props) {
  const { t } = useTranslation()
  const number = useCount()
  const [busy, setBusy] = useState(false)
  const [asked, setAsked] = useState<Format | null>(null)
  const save = async (format: Format) => {
    setBusy(true)
    try {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
      const name = `${title} ${formatDay(new Date(serverNow()))}.${format}`
      const headers = await download(endpoint, { ...query, format, timeZone }, name)
      const isCut = headers.get(EXPORT_TRUNCATED_HEADER) === '1'
      notify(
        isCut ? 'plain' : 'well',
        isCut ? t('export.cut', { count: MAX_EXPORTED_ROWS }) : t('list.exported', { name }),
      )
    } catch (error) {
      notifyFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const choose = (format: Format) => (rows && areMany(rows) ? setAsked(format) : void save(format))
  const words = rows && { count: rows.total, total: number(rows.total, rows.totalIsLowerBound) }
  const label = t(busy ? 'list.exporting' : 'list.export')
  return (
    <>
      <MenuButton
        label={label}
        isBusy={busy}
        entries={[
          ...(words ? [{ heading: t('list.export.rows', words) }] : []),
          { label: t('list.export.xlsx'), onSelect: () => choose('xlsx') },
          { label: t('list.export.csv'), onSelect: () => choose('csv') },
        ]}
      >
        <Icon name="download" />
        {label}
      </MenuButton>
      {asked && words && (
        <ManyRows
          title={t('list.export.many', words)}
          onExport={() => {
            setAsked(null)
            void save(asked)
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  )
}

type ManyProps = { title: string; onExport: () => void; onClose: () => void }

/** Asks before a very large export. */
function ManyRows({ title, onExport, onClose }: ManyProps) {
  const { t } = useTranslation()
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" data-first-focus onClick={onClose}>
            {t('action.cancel')}
          </button>
          <button type="button" className="button button-primary" onClick={onExport}>
            {t('list.export')}
          </button>
        </>
      }
    >
      <p>{t('list.export.many-text')}</p>
    </Dialog>
  )
}
