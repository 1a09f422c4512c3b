import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type DirectorySync, directorySyncs } from '#shared/contract/directory-syncs.ts'
import { useCount } from '../../platform/format-number.ts'
import { ListPage } from '../../ui/ListPage.tsx'
import type { Column } from '../../ui/list-table.types.ts'
import { SyncForm } from './SyncForm.tsx'
import { PausedBanner, SyncSwitch } from './SyncSwitch.tsx'
import { DeleteSyncDialog, type SyncDialog, SyncVerbs } from './SyncVerbs.tsx'
import { SYNCS_KEY } from './sync-queries.ts'
import { useRunColumns } from './use-run-columns.tsx'
import './directory-syncs.css'

/** Syncs that read people and departments from sources. */
export function OrgSyncPage() {
  const { t } = useTranslation()
  const [open, setOpen] = useState<SyncDialog<DirectorySync> | null>(null)
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
      rowActions={(sync) => (
        <SyncVerbs sync={sync} onOpen={setOpen}>
          <Link
            to="/manage/org-sync-detail"
            search={{ sync: sync.id } as never}
            className="button button-quiet"
            aria-label={t('directory-sync.runs-one', { name: sync.name })}
          >
            {t('directory-sync.runs')}
          </Link>
        </SyncVerbs>
      )}
    >
      <PausedBanner />
      {open?.what === 'new' && <SyncForm edited={null} onClose={close} />}
      {open?.what === 'edit' && <SyncForm edited={open.sync} onClose={close} />}
      {open?.what === 'delete' && (
        <DeleteSyncDialog sync={open.sync} remove={directorySyncs.remove} onClose={close}>
          {t('directory-sync.delete-text')}
        </DeleteSyncDialog>
      )}
    </ListPage>
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
