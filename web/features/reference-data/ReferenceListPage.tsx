import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReferenceEntry } from '#shared/contract/reference-data.ts'
import { call } from '../../platform/api.ts'
import { useCount } from '../../platform/format-number.ts'
import { notify } from '../../platform/notices.ts'
import { notifyFailure } from '../../platform/notify-failure.ts'
import { queryClient } from '../../platform/queries.ts'
import { Icon } from '../../ui/Icon.tsx'
import { ListPage } from '../../ui/ListPage.tsx'
import type { Column } from '../../ui/list-table.types.ts'
import { AttributeOrganizations } from './AttributeOrganizations.tsx'
import { DeleteEntryDialog } from './DeleteEntryDialog.tsx'
import { EntryForm } from './EntryForm.tsx'
import { membersLink, type ReferenceList } from './reference-list.ts'
import './reference-list.css'

type Task = { kind: 'form'; entry: ReferenceEntry | null } | { kind: 'delete'; entry: ReferenceEntry }

export function ReferenceListPage({ list }: { list: ReferenceList }) {
  const { t } = useTranslation()
  const { calls, key } = list
  const [task, setTask] = useState<Task | null>(null)
  const refresh = () => queryClient.invalidateQueries({ queryKey: [key] })
  const done = async (text: string) => {
    notify('well', text)
    await refresh()
  }
  const common = { list, onClose: () => setTask(null) }
  return (
    <ListPage<ReferenceEntry>
      title={t(`${key}.title`)}
      explain={t(`${key}.explain`)}
      actions={
        <button type="button" className="button button-primary" onClick={() => setTask({ kind: 'form', entry: null })}>
          {t('reference-data.create')}
        </button>
      }
      endpoint={calls.list}
      queryKey={key}
      tableKey={key}
      rowKey="id"
      rowName={({ shownName }) => shownName}
      columns={useColumns(list)}
      filters={[]}
      searchLabel={t('reference-data.search')}
      rowActions={(entry) => <EntryVerbs entry={entry} list={list} onTask={setTask} />}
      empty={t('reference-data.none')}
      {...(!list.filter && {
        drawer: {
          title: (entry?: ReferenceEntry) => entry?.shownName ?? t('org-attribute.title'),
          render: (id: string, { close }: { close: () => void }) => <AttributeOrganizations id={id} onClose={close} />,
        },
      })}
    >
      {task?.kind === 'form' && <EntryForm {...common} onDone={done} entry={task.entry} />}
      {task?.kind === 'delete' && <DeleteEntryDialog {...common} refresh={refresh} entry={task.entry} />}
    </ListPage>
  )
}

function useColumns({ filter }: ReferenceList): Column<ReferenceEntry>[] {
  const { t } = useTranslation()
  const number = useCount()
  return [
    { key: 'shownName', title: t('reference-data.name'), render: ({ shownName }) => shownName },
    { key: 'code', title: t('reference-data.code'), sortable: true, render: ({ code }) => code },
    {
      key: 'names',
      title: t('reference-data.names'),
      render: ({ name, names, shownName }) =>
        [...new Set([name, ...Object.values(names)])].filter((one) => one !== shownName).join(' · ') || '—',
    },
    {
      key: 'uses',
      title: t(filter ? 'reference-data.people' : 'reference-data.organizations'),
      sortable: true,
      isNumber: true,
      opensDrawer: !filter,
      render: ({ id, shownName, uses }) => {
        const count = (
          <>
            {number(uses)} <span className="visually-hidden">{shownName}</span>
          </>
        )
        if (!filter || uses === 0) return count
        return (
          <Link className="row-link" {...membersLink(filter, id)}>
            {count}
          </Link>
        )
      },
    },
  ]
}

type VerbsProps = { entry: ReferenceEntry; list: ReferenceList; onTask: (task: Task) => void }

function EntryVerbs({ entry, list, onTask }: VerbsProps) {
  const { t } = useTranslation()
  const { above, below, place } = useOrder(entry, list)
  const name = entry.shownName
  const step = (icon: 'up' | 'down', label: string, after: string | null | undefined) => (
    <button
      type="button"
      className="button button-quiet"
      aria-label={label}
      title={label}
      aria-disabled={after === undefined || undefined}
      onClick={() => after !== undefined && void place(after)}
    >
      <Icon name={icon} />
    </button>
  )
  return (
    <div className="entry-verbs">
      {step('up', t('reference-data.up', { name }), above)}
      {step('down', t('reference-data.down', { name }), below)}
      <button
        type="button"
        className="button button-quiet"
        aria-label={t('reference-data.edit-one', { name })}
        onClick={() => onTask({ kind: 'form', entry })}
      >
        {t('reference-data.edit')}
      </button>
      <button
        type="button"
        className="button button-quiet"
        aria-label={t('reference-data.delete-one', { name })}
        onClick={() => onTask({ kind: 'delete', entry })}
      >
        {t('reference-data.delete')}
      </button>
    </div>
  )
}

/** The neighbours for moving an entry up or down; undefined: not possible. */
function useOrder({ id }: ReferenceEntry, { calls, key }: ReferenceList) {
  const { data } = useQuery({
    queryKey: [key, 'order'],
    queryFn: ({ signal }) => call(calls.options, {}, { signal }),
  })
  const ids = (data?.records ?? []).map((one) => one.id)
  const at = ids.indexOf(id)
  const place = async (after: string | null) => {
    try {
      await call(calls.move, { query: { id }, body: { after } })
    } catch (error) {
      notifyFailure(error)
    }
    await queryClient.invalidateQueries({ queryKey: [key] })
  }
  return { above: at > 0 ? (ids[at - 2] ?? null) : undefined, below: at >= 0 ? ids[at + 1] : undefined, place }
}
