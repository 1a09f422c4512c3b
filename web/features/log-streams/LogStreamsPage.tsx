import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LOG_STREAM_KINDS, type LogStream, logStreams } from '#shared/contract/log-streams.ts'
import { DeleteDialog } from '../../ui/DeleteDialog.tsx'
import { ListPage } from '../../ui/ListPage.tsx'
import type { Column } from '../../ui/list-table.types.ts'
import { Time } from '../../ui/Time.tsx'
import { LogStreamDrawer } from './LogStreamDrawer.tsx'
import { LogStreamForm } from './LogStreamForm.tsx'
import { refreshStreams, STREAMS_KEY } from './log-stream-queries.ts'
import { MoveStreamDialog } from './MoveStreamDialog.tsx'
import { placeOf, type StreamSlots, StreamState, useWaiting } from './StreamState.tsx'
import { streamWords } from './stream-words.ts'
import './log-streams.css'

type OpenDialog = { what: 'new' } | { what: 'edit' | 'move' | 'delete'; stream: LogStream }

/** Deliveries happen every few seconds. */
const REFRESH_MS = 15_000

/** Streams of records to other systems, with their delivery. */
export function LogStreamsPage({ slots }: { slots: StreamSlots }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState<OpenDialog | null>(null)
  const close = () => setOpen(null)
  return (
    <ListPage<LogStream>
      title={t('log-streams.title')}
      explain={t('log-stream.explain')}
      actions={
        <button type="button" className="button button-primary" onClick={() => setOpen({ what: 'new' })}>
          {t('log-stream.create')}
        </button>
      }
      endpoint={logStreams.list}
      queryKey={STREAMS_KEY}
      tableKey="log-streams"
      rowKey="id"
      rowName={({ name }) => name}
      columns={useColumns()}
      filters={[
        {
          name: 'kind',
          label: t('log-stream.kind'),
          options: LOG_STREAM_KINDS.map((value) => ({ value, label: t(`log-stream.kind.${value}`) })),
        },
      ]}
      searchLabel={t('log-stream.search')}
      defaultSort="name"
      empty={t('log-stream.none')}
      refreshEvery={REFRESH_MS}
      drawer={{
        title: (stream) => stream?.name ?? t('change-kind.log-stream'),
        render: (id, { close: onClose }) => (
          <LogStreamDrawer
            id={id}
            slots={slots}
            onMove={(stream) => setOpen({ what: 'move', stream })}
            onClose={onClose}
          />
        ),
      }}
      rowActions={(stream) => <RowVerbs stream={stream} onOpen={setOpen} />}
    >
      {open?.what === 'new' && <LogStreamForm edited={null} onClose={close} />}
      {open?.what === 'edit' && <LogStreamForm edited={open.stream} onClose={close} />}
      {open?.what === 'move' && <MoveStreamDialog stream={open.stream} onClose={close} />}
      {open?.what === 'delete' && <DeleteStream stream={open.stream} onClose={close} />}
    </ListPage>
  )
}

function RowVerbs({ stream, onOpen }: { stream: LogStream; onOpen: (open: OpenDialog) => void }) {
  const { t } = useTranslation()
  const { name } = stream
  const verb = (what: 'edit' | 'delete') => (
    <button
      type="button"
      className="button button-quiet"
      aria-label={t(`log-stream.${what}-one`, { name })}
      onClick={() => onOpen({ what, stream })}
    >
      {t(`log-stream.${what}`)}
    </button>
  )
  return (
    <span className="log-stream-verbs">
      {verb('edit')}
      {verb('delete')}
    </span>
  )
}

function DeleteStream({ stream, onClose }: { stream: LogStream; onClose: () => void }) {
  const { t } = useTranslation()
  const { name, cursors } = stream
  const waiting = useWaiting()
  return (
    <DeleteDialog
      remove={logStreams.remove}
      row={stream}
      words={streamWords(t, stream)}
      title={t('log-stream.delete-title', { name })}
      verb={t('log-stream.delete')}
      done={t('log-stream.deleted', { name })}
      refresh={refreshStreams}
      onClose={onClose}
    >
      <p>{t('log-stream.delete-text', { total: waiting(cursors) })}</p>
    </DeleteDialog>
  )
}

function useColumns(): Column<LogStream>[] {
  const { t } = useTranslation()
  const waiting = useWaiting()
  return [
    { key: 'name', title: t('log-stream.name'), sortable: true, opensDrawer: true, render: ({ name }) => name },
    { key: 'place', title: t('log-stream.place'), isLong: true, render: placeOf },
    {
      key: 'logs',
      title: t('log-stream.logs'),
      render: ({ logs }) => logs.map((log) => t(`record-retention.kind.${log}`)).join(t('list.separator')),
    },
    {
      key: 'state',
      title: t('log-stream.state'),
      headsCard: true,
      render: (stream) => <StreamState state={stream.state} />,
    },
    { key: 'waiting', title: t('log-stream.waiting'), render: ({ cursors }) => waiting(cursors) },
    {
      key: 'sentAt',
      title: t('log-stream.sent-at'),
      render: ({ sentAt }) => (sentAt ? <Time value={sentAt} ago /> : '—'),
    },
    { key: 'note', title: t('log-stream.note'), isExtra: true, isLong: true, render: ({ note }) => note || '—' },
    {
      key: 'updatedAt',
      title: t('log-stream.updated-at'),
      sortable: true,
      isExtra: true,
      render: ({ updatedAt }) => <Time value={updatedAt} />,
    },
  ]
}
