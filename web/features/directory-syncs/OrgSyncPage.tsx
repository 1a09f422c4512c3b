import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type DirectorySync, directorySyncs } from '#shared/contract/directory-syncs.ts'
import { call } from '../../platform/api.ts'
import { useCount } from '../../platform/format-number.ts'
import { notify } from '../../platform/notices.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { ListPage } from '../../ui/ListPage.tsx'
import type { Column } from '../../ui/ListTable.tsx'
import { SyncForm } from './SyncForm.tsx'
import { PausedBanner, SyncSwitch } from './SyncSwitch.tsx'
import { refreshSyncs, SYNCS_KEY } from './sync-queries.ts'
import { useRunColumns } from './use-run-columns.tsx'
import './directory-syncs.css'

type OpenDialog = { what: 'new' } | { what: 'edit' | 'delete'; sync: DirectorySync }

/** Which people of which source become which people here. */
export function OrgSyncPage() {
  const { t } = useTranslation()
  const [open, setOpen] = useState<OpenDialog | null>(null)
  const close = () => setOpen(null)
  return (
    <ListPage<DirectorySync>
      title={t('directory-sync.title')}
      explain={t('directory-sync.explain')}
      actions={
        <>
          <SyncSwitch />
          <button type="button" className="button button-primary" onClick={() => setOpen({ what: 'new' })}>
            {t('directory-sync.create')}
          </button>
        </>
      }
      endpoint={directorySyncs.list}
      queryKey={SYNCS_KEY}
      tableKey="org-sync"
      rowKey="id"
      rowName={({ name }) => name}
      columns={useColumns()}
      filters={[]}
      searchLabel={t('directory-sync.search')}
      defaultSort="name"
      empty={t('directory-sync.none')}
      rowActions={(sync) => <RowVerbs sync={sync} onOpen={setOpen} />}
    >
      <PausedBanner />
      {open?.what === 'new' && <SyncForm edited={null} onClose={close} />}
      {open?.what === 'edit' && <SyncForm edited={open.sync} onClose={close} />}
      {open?.what === 'delete' && <DeleteDialog sync={open.sync} onClose={close} />}
    </ListPage>
  )
}

function RowVerbs({ sync, onOpen }: { sync: DirectorySync; onOpen: (open: OpenDialog) => void }) {
  const { t } = useTranslation()
  const { name } = sync
  const verb = (what: 'edit' | 'delete') => (
    <button
      type="button"
      className="button button-quiet"
      aria-label={t(`directory-sync.${what}-one`, { name })}
      onClick={() => onOpen({ what, sync })}
    >
      {t(`directory-sync.${what}`)}
    </button>
  )
  return (
    <span className="sync-verbs">
      <Link
        to="/manage/org-sync-detail"
        search={{ sync: sync.id } as never}
        className="button button-quiet"
        aria-label={t('directory-sync.runs-one', { name })}
      >
        {t('directory-sync.runs')}
      </Link>
      {verb('edit')}
      {verb('delete')}
    </span>
  )
}

function DeleteDialog({ sync, onClose }: { sync: DirectorySync; onClose: () => void }) {
  const { t } = useTranslation()
  const { id, version, name } = sync
  const remove = async () => {
    await call(directorySyncs.remove, { query: { id }, body: { version } })
    await refreshSyncs()
    notify('well', t('directory-sync.deleted', { name }))
  }
  return (
    <ConfirmDialog
      title={t('directory-sync.delete-title', { name })}
      verb={t('directory-sync.delete')}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>{t('directory-sync.delete-text')}</p>
    </ConfirmDialog>
  )
}

function useColumns(): Column<DirectorySync>[] {
  const { t } = useTranslation()
  const number = useCount()
  const run = useRunColumns<DirectorySync>()
  return [
    { key: 'name', title: t('directory-sync.name'), sortable: true, render: ({ name }) => name },
    { key: 'source', title: t('directory-sync.source'), render: ({ sourceName }) => sourceName },
    { key: 'linked', title: t('directory-sync.linked'), render: ({ linked }) => number(linked) },
    ...run,
  ]
}
