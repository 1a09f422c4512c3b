import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  BOOK_VENDORS,
  type BookSync,
  bookSyncs,
  isMailProvider,
  MAILBOX_VENDORS,
} from '#shared/contract/address-books.ts'
import { useCount } from '../../platform/format-number.ts'
import { ListPage } from '../../ui/ListPage.tsx'
import type { Column } from '../../ui/list-table.types.ts'
import { BookSyncForm } from './BookSyncForm.tsx'
import { ReadBooks } from './ReadBooks.tsx'
import { PausedBanner } from './SyncSwitch.tsx'
import { DeleteSyncDialog, type SyncDialog, SyncVerbs } from './SyncVerbs.tsx'
import { SYNCS_KEY } from './sync-queries.ts'
import { useRunColumns } from './use-run-columns.tsx'
import './directory-syncs.css'

/** Syncs that write our departments and people into address books of vendors. */
export function BookSyncPage() {
  const { t } = useTranslation()
  const [open, setOpen] = useState<SyncDialog<BookSync> | null>(null)
  const close = () => setOpen(null)
  return (
    <>
      <ListPage<BookSync>
        title={t('book-sync.title')}
        explain={t('book-sync.explain')}
        actions={
          <button type="button" className="button button-primary" onClick={() => setOpen({ what: 'new' })}>
            {t('book-sync.create')}
          </button>
        }
        endpoint={bookSyncs.list}
        queryKey={SYNCS_KEY}
        tableKey="exterPhone-sync"
        rowKey="id"
        rowName={({ name }) => name}
        columns={useColumns()}
        filters={[
          {
            name: 'vendor',
            label: t('book-sync.vendor'),
            options: [...BOOK_VENDORS, ...MAILBOX_VENDORS].map((value) => ({
              value,
              label: t(`book-sync.vendor.${value}`),
            })),
          },
        ]}
        searchLabel={t('directory-sync.search')}
        defaultSort="name"
        empty={t('book-sync.none')}
        rowActions={(sync) => (
          <SyncVerbs sync={sync} onOpen={setOpen}>
            <Link
              to="/manage/exterPhone-sync/$id"
              params={{ id: sync.id }}
              className="button button-quiet"
              aria-label={t('directory-sync.runs-one', { name: sync.name })}
            >
              {t('directory-sync.runs')}
            </Link>
          </SyncVerbs>
        )}
      >
        <PausedBanner />
        {open?.what === 'new' && <BookSyncForm edited={null} onClose={close} />}
        {open?.what === 'edit' && <BookSyncForm edited={open.sync} onClose={close} />}
        {open?.what === 'delete' && (
          <DeleteSyncDialog sync={open.sync} remove={bookSyncs.remove} onClose={close}>
            {t(isMailProvider(open.sync.vendor) ? 'mailbox-sync.delete-text' : 'book-sync.delete-text')}
          </DeleteSyncDialog>
        )}
      </ListPage>
      <ReadBooks />
    </>
  )
}

function useColumns(): Column<BookSync>[] {
  const { t } = useTranslation()
  const number = useCount()
  const run = useRunColumns<BookSync>()
  return [
    { key: 'name', title: t('directory-sync.name'), sortable: true, render: ({ name }) => name },
    { key: 'vendor', title: t('book-sync.vendor'), render: ({ vendor }) => t(`book-sync.vendor.${vendor}`) },
    {
      key: 'roots',
      title: t('book-sync.roots'),
      isLong: true,
      render: ({ rootNames }) => rootNames.join(t('list.separator')),
    },
    { key: 'linked', title: t('directory-sync.linked'), render: ({ linkedPeople }) => number(linkedPeople) },
    ...run,
  ]
}
