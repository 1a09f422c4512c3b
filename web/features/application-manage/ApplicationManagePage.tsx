import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listApplications, type ManagedApplication } from '#shared/contract/application-manage.ts'
import { useCount } from '../../platform/format-number.ts'
import { AppIcon } from '../../ui/AppIcon.tsx'
import { ListPage } from '../../ui/ListPage.tsx'
import type { Filter } from '../../ui/list-filter.ts'
import type { Column } from '../../ui/list-table.types.ts'
import { MenuButton } from '../../ui/MenuButton.tsx'
import type { Selection } from '../../ui/selection.ts'
import { Time } from '../../ui/Time.tsx'
import { ApplicationState, BuiltInTag } from './ApplicationState.tsx'
import { CategoriesDialog } from './CategoriesDialog.tsx'
import { DuplicateDialog } from './DuplicateDialog.tsx'
import { StateDialog, type StateVerb, useRestore, useStateChange } from './StateDialog.tsx'
import { useCategories } from './use-categories.ts'
import './application-manage.css'

type Row = ManagedApplication
type StateRequest = { verb: StateVerb; selection: Selection<Row>; clear: () => void }

/** The applications with single sign-on. */
export function ApplicationManagePage() {
  const { t } = useTranslation()
  const [asked, setAsked] = useState<StateRequest | null>(null)
  const [dialog, setDialog] = useState<'categories' | Row | null>(null)
  const open = useStateChange('open')
  const ask = (verb: StateVerb) => (selection: Selection<Row>, clear: () => void) =>
    setAsked({ verb, selection, clear })
  return (
    <ListPage<Row>
      title={t('application-manage.title')}
      explain={t('application-manage.explain')}
      endpoint={listApplications}
      queryKey="applications"
      tableKey="application-manage"
      rowKey="id"
      rowName={({ name }) => name}
      columns={useColumns()}
      filters={useFilters()}
      searchLabel={t('application-manage.search')}
      defaultSort="name"
      isSelectable={({ builtIn }) => !builtIn}
      actions={<Actions onCategories={() => setDialog('categories')} />}
      empty={
        <Link to="/manage/application-manage/new" className="button button-primary">
          {t('application-manage.new')}
        </Link>
      }
      bulkActions={[
        {
          label: t('application-manage.do-open'),
          takesAll: true,
          isEnabled: (rows) => rows.some(({ state, deleted }) => state === 0 && !deleted),
          onRun: (selection, clear) => open.mutate(selection, { onSuccess: clear }),
        },
        {
          label: t('application-manage.do-close'),
          takesAll: true,
          isEnabled: (rows) => rows.some(({ state }) => state === 1),
          onRun: ask('close'),
        },
        {
          label: t('application-manage.do-delete'),
          isDanger: true,
          isEnabled: (rows) => rows.every(({ state, deleted }) => state === 0 && !deleted),
          onRun: ask('delete'),
        },
      ]}
      rowActions={(row) => (
        <RowMenu
          row={row}
          onAsk={(verb) => ask(verb)({ rows: [row] }, () => undefined)}
          onDuplicate={() => setDialog(row)}
        />
      )}
    >
      {asked && <StateDialog {...asked} onClose={() => setAsked(null)} />}
      {dialog === 'categories' && <CategoriesDialog onClose={() => setDialog(null)} />}
      {dialog !== null && dialog !== 'categories' && <DuplicateDialog app={dialog} onClose={() => setDialog(null)} />}
    </ListPage>
  )
}

function Actions({ onCategories }: { onCategories: () => void }) {
  const { t } = useTranslation()
  return (
    <>
      <button type="button" className="button button-quiet" onClick={onCategories}>
        {t('application-manage.categories')}
      </button>
      <Link to="/manage/application-manage/import" className="button">
        {t('application-manage.import')}
      </Link>
      <Link to="/manage/application-manage/new" className="button button-primary">
        {t('application-manage.new')}
      </Link>
    </>
  )
}

type RowMenuProps = { row: Row; onAsk: (verb: StateVerb) => void; onDuplicate: () => void }

function RowMenu({ row, onAsk, onDuplicate }: RowMenuProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const open = useStateChange('open')
  const restore = useRestore()
  const settings = {
    label: t('application-detail.title'),
    onSelect: () => void navigate({ to: '/manage/application-manage/detail-set/$id', params: { id: row.id } }),
  }
  const entries = row.deleted
    ? [{ label: t('application-manage.do-restore'), onSelect: () => restore.mutate(row.id) }]
    : [
        settings,
        ...(row.builtIn
          ? []
          : [
              { label: t('application-manage.do-duplicate'), onSelect: onDuplicate },
              row.state === 1
                ? { label: t('application-manage.do-close'), onSelect: () => onAsk('close') }
                : { label: t('application-manage.do-open'), onSelect: () => open.mutate({ rows: [row] }) },
              ...(row.state === 0
                ? [{ label: t('application-manage.do-delete'), isDanger: true, onSelect: () => onAsk('delete') }]
                : []),
            ]),
      ]
  return (
    <MenuButton label={t('application-manage.more', { name: row.name })} entries={entries}>
      {t('list.more-verbs')}
    </MenuButton>
  )
}

function useColumns(): Column<Row>[] {
  const { t } = useTranslation()
  const number = useCount()
  return [
    {
      key: 'name',
      title: t('application-manage.name'),
      sortable: true,
      render: (row) => (
        <span className="app-cell">
          <AppIcon app={row} />
          <Link to="/manage/application-manage/detail-set/$id" params={{ id: row.id }}>
            {row.name}
          </Link>
          <BuiltInTag app={row} />
        </span>
      ),
    },
    { key: 'appId', title: t('application-manage.code'), render: ({ appId }) => <code>{appId}</code> },
    {
      key: 'protocol',
      title: t('application-manage.protocol'),
      render: ({ protocol }) => (protocol === 'cas' ? 'CAS' : 'OAuth 2.0'),
    },
    { key: 'type', title: t('application-manage.type'), render: ({ type }) => t(`application-type.${type}`) },
    { key: 'category', title: t('application-manage.category'), render: ({ categoryName }) => categoryName ?? '—' },
    { key: 'state', title: t('application-manage.state'), render: (row) => <ApplicationState app={row} /> },
    {
      key: 'visits',
      title: t('application-manage.visits'),
      isNumber: true,
      render: ({ visits }) => number(Math.min(visits, 1000), visits >= 1000),
    },
    {
      key: 'updatedAt',
      title: t('application-manage.updated'),
      sortable: true,
      render: ({ updatedAt }) => <Time value={updatedAt} ago />,
    },
  ]
}

function useFilters(): Filter[] {
  const { t } = useTranslation()
  const { categories, nameOf } = useCategories()
  return [
    {
      name: 'protocol',
      label: t('application-manage.protocol'),
      options: (['cas', 'oauth2'] as const).map((value) => ({ value, label: t(`application-protocol.${value}`) })),
    },
    {
      name: 'type',
      label: t('application-manage.type'),
      options: (['system', 'whitelist'] as const).map((value) => ({ value, label: t(`application-type.${value}`) })),
    },
    {
      name: 'categoryId',
      label: t('application-manage.category'),
      options: categories.map((one) => ({ value: one.id, label: nameOf(one) })),
    },
    {
      name: 'state',
      label: t('application-manage.state'),
      options: [
        { value: 'enabled', label: t('application-manage.open') },
        { value: 'disabled', label: t('application-manage.closed') },
        { value: 'deleted', label: t('application-manage.deleted') },
      ],
    },
  ]
}
