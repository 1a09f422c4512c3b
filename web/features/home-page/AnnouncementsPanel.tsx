import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ANNOUNCEMENT_STATES, type Announcement, announcements } from '#shared/contract/announcements.ts'
import { queryClient } from '../../platform/queries.ts'
import { useCategoryNames } from '../../ui/CategoryPicker.tsx'
import { DeleteDialog } from '../../ui/DeleteDialog.tsx'
import { ListPage } from '../../ui/ListPage.tsx'
import type { Column } from '../../ui/list-table.types.ts'
import { StateWord } from '../../ui/StateWord.tsx'
import { Time } from '../../ui/Time.tsx'
import { AnnouncementForm } from './AnnouncementForm.tsx'
import { ANNOUNCEMENTS_KEY } from './announcement-queries.ts'
import { announcementWords } from './announcement-words.ts'

type OpenDialog = { what: 'new' } | { what: 'edit' | 'delete'; one: Announcement }

/** The announcements of the home page, with their audience and period. */
export function AnnouncementsPanel({ history }: { history: (id: string) => ReactNode }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState<OpenDialog | null>(null)
  const close = () => setOpen(null)
  return (
    <ListPage<Announcement>
      title={t('announcement.title')}
      explain={t('announcement.explain')}
      embedded
      place="memory"
      actions={
        <button type="button" className="button button-primary" onClick={() => setOpen({ what: 'new' })}>
          {t('announcement.create')}
        </button>
      }
      endpoint={announcements.list}
      queryKey={ANNOUNCEMENTS_KEY}
      tableKey="announcement"
      rowKey="id"
      rowName={({ name }) => name}
      columns={useColumns()}
      filters={[
        {
          name: 'state',
          label: t('announcement.state'),
          options: ANNOUNCEMENT_STATES.map((value) => ({ value, label: t(`announcement.state.${value}`) })),
        },
      ]}
      searchLabel={t('announcement.search')}
      defaultSort="-updatedAt"
      empty={t('announcement.none')}
      details={({ id }) => history(id)}
      rowActions={(one) => <RowVerbs one={one} onOpen={setOpen} />}
    >
      {open?.what === 'new' && <AnnouncementForm edited={null} onClose={close} />}
      {open?.what === 'edit' && <AnnouncementForm edited={open.one} onClose={close} />}
      {open?.what === 'delete' && <DeleteAnnouncement one={open.one} onClose={close} />}
    </ListPage>
  )
}

function RowVerbs({ one, onOpen }: { one: Announcement; onOpen: (open: OpenDialog) => void }) {
  const { t } = useTranslation()
  const { name } = one
  return (
    <>
      <button
        type="button"
        className="button button-quiet"
        aria-label={t('announcement.edit-one', { name })}
        onClick={() => onOpen({ what: 'edit', one })}
      >
        {t('announcement.edit')}
      </button>
      <button
        type="button"
        className="button button-quiet"
        aria-label={t('announcement.delete-one', { name })}
        onClick={() => onOpen({ what: 'delete', one })}
      >
        {t('announcement.delete')}
      </button>
    </>
  )
}

function DeleteAnnouncement({ one, onClose }: { one: Announcement; onClose: () => void }) {
  const { t } = useTranslation()
  const { name } = one
  return (
    <DeleteDialog
      remove={announcements.remove}
      row={one}
      words={announcementWords(t)}
      title={t('announcement.delete-title', { name })}
      verb={t('announcement.delete')}
      done={t('announcement.deleted', { name })}
      refresh={() => queryClient.invalidateQueries({ queryKey: [ANNOUNCEMENTS_KEY] })}
      onClose={onClose}
    >
      <p>{t('announcement.delete-text')}</p>
    </DeleteDialog>
  )
}

const TONES = { shown: 'well', coming: 'caution', over: 'quiet' } as const

function useColumns(): Column<Announcement>[] {
  const { t } = useTranslation()
  const categoryName = useCategoryNames()
  const audienceOf = ({ categories, organizations, organizationNames }: Announcement) =>
    [...categories.map(categoryName), ...organizations.map((id) => organizationNames[id] ?? id)].join(', ')
  return [
    { key: 'name', title: t('announcement.name'), render: ({ name }) => name },
    {
      key: 'state',
      title: t('announcement.state'),
      headsCard: true,
      render: ({ state }) => <StateWord tone={TONES[state]}>{t(`announcement.state.${state}`)}</StateWord>,
    },
    {
      key: 'audience',
      title: t('announcement.audience'),
      render: (one) => audienceOf(one) || t('announcement.everybody'),
    },
    {
      key: 'shownFrom',
      title: t('announcement.shownFrom'),
      render: ({ shownFrom }) => (shownFrom ? <Time value={shownFrom} /> : t('announcement.at-once')),
    },
    {
      key: 'shownUntil',
      title: t('announcement.shownUntil'),
      render: ({ shownUntil }) => (shownUntil ? <Time value={shownUntil} /> : t('announcement.no-end')),
    },
    {
      key: 'updatedAt',
      title: t('announcement.updated-at'),
      sortable: true,
      isExtra: true,
      render: ({ updatedAt }) => <Time value={updatedAt} />,
    },
  ]
}
