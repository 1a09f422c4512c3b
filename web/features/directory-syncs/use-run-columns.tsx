import { useTranslation } from 'react-i18next'
import type { DirectorySync } from '#shared/contract/directory-syncs.ts'
import type { Column } from '../../ui/list-table.types.ts'
import { Time } from '../../ui/Time.tsx'
import { RunState } from './RunState.tsx'

type Listed = Pick<DirectorySync, 'lastRun' | 'nextRunAt' | 'note' | 'updatedAt'>

/** Columns for a sync's last run, its next time and its note. */
export function useRunColumns<Row extends Listed>(): Column<Row>[] {
  const { t } = useTranslation()
  return [
    {
      key: 'lastRun',
      title: t('directory-sync.last-run'),
      headsCard: true,
      render: ({ lastRun }) =>
        lastRun ? <RunState state={lastRun.state} /> : <span className="muted">{t('directory-sync.never')}</span>,
    },
    {
      key: 'lastAt',
      title: t('directory-sync.last-at'),
      render: ({ lastRun }) => (lastRun ? <Time value={lastRun.startedAt} /> : '—'),
    },
    {
      key: 'nextAt',
      title: t('directory-sync.next-at'),
      render: ({ nextRunAt }) =>
        nextRunAt ? <Time value={nextRunAt} /> : <span className="muted">{t('directory-sync.by-hand')}</span>,
    },
    { key: 'note', title: t('directory-sync.note'), isExtra: true, isLong: true, render: ({ note }) => note || '—' },
    {
      key: 'updatedAt',
      title: t('directory-sync.updated-at'),
      sortable: true,
      isExtra: true,
      render: ({ updatedAt }) => <Time value={updatedAt} />,
    },
  ]
}
