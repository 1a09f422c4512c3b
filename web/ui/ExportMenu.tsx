import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Endpoint } from '#shared/contract/endpoint.ts'
import { CUT_HEADER, MOST_EXPORTED } from '#shared/contract/records.ts'
import { download } from '../platform/download.ts'
import { notify } from '../platform/notices.ts'
import { Refusal } from '../platform/refusal.ts'
import { serverNow } from '../platform/server-clock.ts'
import { Icon } from './Icon.tsx'
import { dayOf } from './list-filter.ts'
import { MenuButton } from './MenuButton.tsx'

type Props = {
  /** The file's name, before the day. */
  title: string
  endpoint: Endpoint
  /** The filters of the list as it is seen. */
  query: Record<string, unknown>
}

/** The list as it is filtered, as a file. Times are written in the zone of this browser. */
export function ExportMenu({ title, endpoint, query }: Props) {
  const { t } = useTranslation()
  const [busy, setBusy] = useState(false)
  const save = async (format: 'csv' | 'xlsx') => {
    setBusy(true)
    try {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
      const name = `${title} ${dayOf(new Date(serverNow()))}.${format}`
      const headers = await download(endpoint, { ...query, format, timeZone }, name)
      const isCut = headers.get(CUT_HEADER) === '1'
      notify(isCut ? 'plain' : 'well', isCut ? t('export.cut', { count: MOST_EXPORTED }) : t('list.exported', { name }))
    } catch (error) {
      notify('danger', error instanceof Refusal ? error.message : t('network.unreachable'))
    } finally {
      setBusy(false)
    }
  }
  if (busy) {
    return (
      <button type="button" className="button button-quiet" disabled>
        <Icon name="download" />
        {t('list.exporting')}
      </button>
    )
  }
  return (
    <MenuButton
      label={t('list.export')}
      entries={[
        { label: t('list.export.xlsx'), onSelect: () => void save('xlsx') },
        { label: t('list.export.csv'), onSelect: () => void save('csv') },
      ]}
    >
      <Icon name="download" />
      {t('list.export')}
    </MenuButton>
  )
}
