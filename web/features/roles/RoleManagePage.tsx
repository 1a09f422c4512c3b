import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listRoles, type Role, type RoleDetails, roleDetails } from '#shared/contract/roles.ts'
import { call } from '../../platform/api.ts'
import { useCount } from '../../platform/format-number.ts'
import { useDrawerTitle } from '../../ui/drawer-title.ts'
import { ListPage } from '../../ui/ListPage.tsx'
import type { Column } from '../../ui/list-table.types.ts'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { Time } from '../../ui/Time.tsx'
import { DeleteRoleDialog } from './DeleteRoleDialog.tsx'
import { RoleForm } from './RoleForm.tsx'
import { RoleMembers } from './RoleMembers.tsx'
import { ROLES_KEY } from './role-queries.ts'
import './roles.css'

/** Parts of a role's page that other features contribute. */
export type RoleSlots = {
  applications: (roleId: string) => ReactNode
  history: (roleId: string) => ReactNode
  /** Shows the progress of a background task. */
  task: (id: string, onClose: () => void) => ReactNode
  /** The dialog that grants applications to a role. */
  authorise: (roleId: string, onClose: () => void) => ReactNode
}

type OpenDialog = { what: 'new' } | { what: 'edit' | 'delete' | 'authorise'; role: Role }

/** The roles of the institution; a row opens at the side with its members and applications. */
export function RoleManagePage({ slots }: { slots: RoleSlots }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState<OpenDialog | null>(null)
  const close = () => setOpen(null)
  return (
    <ListPage<Role>
      title={t('role-manage.title')}
      explain={t('role-manage.explain')}
      actions={
        <button type="button" className="button button-primary" onClick={() => setOpen({ what: 'new' })}>
          {t('role.create')}
        </button>
      }
      endpoint={listRoles}
      queryKey={ROLES_KEY}
      tableKey="role-manage"
      rowKey="id"
      rowName={({ name }) => name}
      columns={useColumns()}
      filters={[]}
      searchLabel={t('role.search')}
      defaultSort="code"
      empty={t('role.none')}
      drawer={{
        title: (role) => role?.name ?? t('subject-kind.role'),
        render: (id, { close: onClose }) => <RoleDrawer id={id} slots={slots} onClose={onClose} />,
      }}
      rowActions={(row) => <RowVerbs row={row} onOpen={setOpen} />}
    >
      {open?.what === 'new' && <RoleForm edited={null} onClose={close} />}
      {open?.what === 'edit' && <EditRoleDialog id={open.role.id} onClose={close} />}
      {open?.what === 'delete' && <DeleteRoleDialog deleted={open.role} onClose={close} />}
      {open?.what === 'authorise' && slots.authorise(open.role.id, close)}
    </ListPage>
  )
}

/** Works for roles outside the current page too, such as one named in the address. */
function RoleDrawer({ id, slots, onClose }: { id: string; slots: RoleSlots; onClose: () => void }) {
  const role = useQuery({
    queryKey: [ROLES_KEY, 'details', id],
    queryFn: ({ signal }) => call(roleDetails, { query: { id } }, { signal }),
  })
  if (role.isError) return <FailedBlock error={role.error} onRetry={() => void role.refetch()} onBack={onClose} />
  if (!role.data) return <Skeleton lines={6} />
  return <RoleTabs role={role.data} slots={slots} />
}

function RoleTabs({ role, slots }: { role: RoleDetails; slots: RoleSlots }) {
  const { t, i18n } = useTranslation()
  const { id: roleId, name, names } = role
  const members = { roleId, task: slots.task }
  useDrawerTitle(names[i18n.language as keyof typeof names] ?? name)
  return (
    <Tabs
      label={t('role.parts')}
      param="part"
      tabs={[
        { key: 'people', label: t('role.people'), render: () => <RoleMembers {...members} kind="user" /> },
        {
          key: 'organizations',
          label: t('role.organizations'),
          render: () => <RoleMembers {...members} kind="organization" />,
        },
        {
          key: 'categories',
          label: t('role.categories'),
          render: () => <RoleMembers {...members} kind="category" />,
        },
        { key: 'applications', label: t('role.applications'), render: () => slots.applications(roleId) },
        { key: 'history', label: t('role.history'), render: () => slots.history(roleId) },
      ]}
    />
  )
}

/** Loads the current role, so that the form edits the latest state. */
function EditRoleDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { data } = useQuery({
    queryKey: [ROLES_KEY, 'details', id],
    queryFn: ({ signal }) => call(roleDetails, { query: { id } }, { signal }),
    staleTime: 0,
    gcTime: 0,
  })
  return data ? <RoleForm edited={data} onClose={onClose} /> : null
}

function RowVerbs({ row, onOpen }: { row: Role; onOpen: (open: OpenDialog) => void }) {
  const { t } = useTranslation()
  const verb = (what: 'authorise' | 'edit' | 'delete', label: string, spoken: string) => (
    <button
      type="button"
      className="button button-quiet"
      aria-label={spoken}
      onClick={() => onOpen({ what, role: row })}
    >
      {label}
    </button>
  )
  const { name } = row
  return (
    <span className="role-verbs">
      {verb('authorise', t('authorise.verb'), t('authorise.verb-one', { name }))}
      {verb('edit', t('role.edit'), t('role.edit-one', { name }))}
      {verb('delete', t('role.delete'), t('role.delete-one', { name }))}
    </span>
  )
}

function useColumns(): Column<Role>[] {
  const { t } = useTranslation()
  const number = useCount()
  return [
    { key: 'name', title: t('role.name'), sortable: true, opensDrawer: true, render: ({ name }) => name },
    { key: 'code', title: t('role.code'), sortable: true, render: ({ code }) => code },
    {
      key: 'description',
      title: t('role.description'),
      isExtra: true,
      render: ({ description }) => description || '—',
    },
    { key: 'people', title: t('role.people'), sortable: true, isNumber: true, render: ({ people }) => number(people) },
    {
      key: 'organizations',
      title: t('role.organizations'),
      isNumber: true,
      render: ({ organizations }) => number(organizations),
    },
    { key: 'categories', title: t('role.categories'), isNumber: true, render: ({ categories }) => number(categories) },
    {
      key: 'applications',
      title: t('role.applications'),
      sortable: true,
      isNumber: true,
      render: ({ applications }) => number(applications),
    },
    {
      key: 'updatedAt',
      title: t('role.updated-at'),
      sortable: true,
      isExtra: true,
      render: ({ updatedAt }) => (updatedAt ? <Time value={updatedAt} /> : '—'),
    },
  ]
}
