import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DATA_SOURCE_KINDS, type DataSource, dataSources } from '#shared/contract/data-sources.ts'
import { DeleteDialog } from '../../ui/DeleteDialog.tsx'
import { ListPage } from '../../ui/ListPage.tsx'
import type { Filter } from '../../ui/list-filter.ts'
import type { Column } from '../../ui/list-table.types.ts'
import { Time } from '../../ui/Time.tsx'
import { DataSourceDrawer } from './DataSourceDrawer.tsx'
import { DataSourceForm } from './DataSourceForm.tsx'
import { refreshSources, SOURCES_KEY } from './data-source-queries.ts'
import { type SourceSlots, SourceState, sourceAddress } from './SourceState.tsx'
import { SourceTestDialog } from './SourceTestDialog.tsx'
import { sourceWords } from './source-words.ts'
import './data-sources.css'

type OpenDialog = { what: 'new' } | { what: 'edit' | 'test' | 'delete'; source: DataSource }

/** The institution's systems from which people are read. */
export function DataSourcesPage({ slots }: { slots: SourceSlots }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState<OpenDialog | null>(null)
  const close = () => setOpen(null)
  return (
    <ListPage<DataSource>
      title={t('data-source.title')}
      explain={t('data-source.explain')}
      actions={
        <button type="button" className="button button-primary" onClick={() => setOpen({ what: 'new' })}>
          {t('data-source.create')}
        </button>
      }
      endpoint={dataSources.list}
      queryKey={SOURCES_KEY}
      tableKey="external-data-source"
      rowKey="id"
      rowName={({ name }) => name}
      columns={useColumns()}
      filters={useFilters()}
      searchLabel={t('data-source.search')}
      defaultSort="name"
      empty={t('data-source.none')}
      drawer={{
        title: (source) => source?.name ?? t('change-kind.data-source'),
        render: (id, { close: onClose }) => <DataSourceDrawer id={id} slots={slots} onClose={onClose} />,
      }}
      rowActions={(source) => <RowVerbs source={source} onOpen={setOpen} />}
    >
      {open?.what === 'new' && (
        <DataSourceForm edited={null} onClose={close} onSaved={(source) => setOpen({ what: 'test', source })} />
      )}
      {open?.what === 'edit' && (
        <DataSourceForm edited={open.source} onClose={close} onSaved={(source) => setOpen({ what: 'test', source })} />
      )}
      {open?.what === 'test' && <SourceTestDialog source={open.source} onClose={close} />}
      {open?.what === 'delete' && <DeleteSource source={open.source} onClose={close} />}
    </ListPage>
  )
}

function RowVerbs({ source, onOpen }: { source: DataSource; onOpen: (open: OpenDialog) => void }) {
  const { t } = useTranslation()
  const { name } = source
  const verb = (what: 'edit' | 'test' | 'delete') => (
    <button
      type="button"
      className="button button-quiet"
      aria-label={t(`data-source.${what}-one`, { name })}
      onClick={() => onOpen({ what, source })}
    >
      {t(`data-source.${what}`)}
    </button>
  )
  return (
    <span className="source-verbs">
      {verb('test')}
      {verb('edit')}
      {verb('delete')}
    </span>
  )
}

function DeleteSource({ source, onClose }: { source: DataSource; onClose: () => void }) {
  const { t } = useTranslation()
  const { name } = source
  return (
    <DeleteDialog
      remove={dataSources.remove}
      row={source}
      words={sourceWords(t)}
      title={t('data-source.delete-title', { name })}
      verb={t('data-source.delete')}
      done={t('data-source.deleted', { name })}
      refresh={refreshSources}
      onClose={onClose}
    >
      <p>{t('data-source.delete-text')}</p>
    </DeleteDialog>
  )
}

function useColumns(): Column<DataSource>[] {
  const { t } = useTranslation()
  return [
    { key: 'name', title: t('data-source.name'), sortable: true, opensDrawer: true, render: ({ name }) => name },
    { key: 'kind', title: t('data-source.kind'), render: ({ kind }) => t(`data-source.kind.${kind}`) },
    {
      key: 'place',
      title: t('data-source.place'),
      render: (source) => <code className="source-place">{sourceAddress(source) || '—'}</code>,
    },
    {
      key: 'state',
      title: t('data-source.state'),
      headsCard: true,
      render: ({ state }) => <SourceState state={state} />,
    },
    {
      key: 'checkedAt',
      title: t('data-source.checked-at'),
      render: ({ checkedAt }) => (checkedAt ? <Time value={checkedAt} /> : '—'),
    },
    { key: 'note', title: t('data-source.note'), isExtra: true, isLong: true, render: ({ note }) => note || '—' },
    {
      key: 'updatedAt',
      title: t('data-source.updated-at'),
      sortable: true,
      isExtra: true,
      render: ({ updatedAt }) => <Time value={updatedAt} />,
    },
  ]
}

function useFilters(): Filter[] {
  const { t } = useTranslation()
  return [
    {
      name: 'kind',
      label: t('data-source.kind'),
      options: DATA_SOURCE_KINDS.map((value) => ({ value, label: t(`data-source.kind.${value}`) })),
    },
    {
      name: 'state',
      label: t('data-source.state'),
      options: (['ok', 'failing', 'untested'] as const).map((value) => ({
        value,
        label: t(`data-source.state.${value}`),
      })),
    },
  ]
}
