import i18next from 'i18next'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listRoleMembers, type RoleMember, type RoleMemberKind, removeRoleMembers } from '#shared/contract/roles.ts'
import { call } from '../../platform/api.ts'
import { notify } from '../../platform/notices.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { ListPage } from '../../ui/ListPage.tsx'
import type { Column } from '../../ui/list-table.types.ts'
import { type Selection, selectionBody, selectionCount } from '../../ui/selection.ts'
import { Time } from '../../ui/Time.tsx'
import { AddMembersDialog } from './AddMembersDialog.tsx'
import { MEMBERS_KEY, refreshRoles } from './role-queries.ts'

type Props = {
  roleId: string
  kind: RoleMemberKind
  /** Shows the progress of a background task. */
  task: (id: string, onClose: () => void) => ReactNode
}
type MemberRemoval = { selection: Selection<RoleMember>; clear: () => void }

/** Members of one kind. */
export function RoleMembers({ roleId, kind, task }: Props) {
  const { t } = useTranslation()
  const [isAdding, setAdding] = useState(false)
  const [leaving, setLeaving] = useState<MemberRemoval | null>(null)
  const [taskId, setTaskId] = useState<string | null>(null)
  return (
    <ListPage<RoleMember>
      embedded
      place="memory"
      title={t(`role-member.title.${kind}`)}
      {...(kind !== 'user' && { explain: t(`role-member.explain.${kind}`) })}
      actions={
        <button type="button" className="button button-primary" onClick={() => setAdding(true)}>
          {t('role-member.add')}
        </button>
      }
      endpoint={listRoleMembers}
      fixedQuery={{ id: roleId, kind }}
      queryKey={MEMBERS_KEY}
      rowKey="id"
      rowName={({ name, code }) => `${name} ${code}`}
      columns={useColumns(kind)}
      filters={[]}
      searchLabel={t(kind === 'user' ? 'role-member.search.user' : 'role-member.search')}
      defaultSort="code"
      empty={t('role-member.none')}
      bulkActions={[
        {
          label: t('role-member.remove'),
          takesAll: true,
          onRun: (selection, clear) => setLeaving({ selection, clear }),
        },
      ]}
      rowActions={(member) => (
        <button
          type="button"
          className="button button-quiet"
          aria-label={t('role-member.remove-one', { name: nameOf(member) })}
          onClick={() => setLeaving({ selection: { rows: [member] }, clear: () => {} })}
        >
          {t('role-member.remove')}
        </button>
      )}
    >
      {isAdding && <AddMembersDialog roleId={roleId} kind={kind} onClose={() => setAdding(false)} />}
      {leaving && (
        <RemoveDialog
          roleId={roleId}
          kind={kind}
          leaving={leaving}
          onTask={setTaskId}
          onClose={() => setLeaving(null)}
        />
      )}
      {taskId && task(taskId, () => setTaskId(null))}
    </ListPage>
  )
}

type RemoveProps = Omit<Props, 'task'> & { leaving: MemberRemoval; onTask: (id: string) => void; onClose: () => void }

/** Names may repeat, so the account or code is added. */
const nameOf = ({ name, code }: RoleMember): string => i18next.t('person.named', { name, account: code })

function RemoveDialog({ roleId, kind, leaving, onTask, onClose }: RemoveProps) {
  const { t } = useTranslation()
  const remove = async () => {
    const chosen = selectionBody(leaving.selection, 'id')
    // The list's filters without those that the page fixes.
    const selection =
      'all' in chosen ? { all: { search: chosen.all['search'] ?? '' }, expected: chosen.expected } : chosen
    const { changed, taskId } = await call(removeRoleMembers, { query: { id: roleId }, body: { kind, selection } })
    await refreshRoles()
    leaving.clear()
    if (taskId) return onTask(taskId)
    notify('well', t('role-member.removed', { count: changed }))
  }
  const [one] = 'rows' in leaving.selection && leaving.selection.rows.length === 1 ? leaving.selection.rows : []
  return (
    <ConfirmDialog
      title={one ? t('role-member.remove.title-one', { name: nameOf(one) }) : t('role-member.remove.title')}
      verb={t('role-member.remove')}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>{t('role-member.remove.text', { count: selectionCount(leaving.selection) })}</p>
    </ConfirmDialog>
  )
}

function useColumns(kind: RoleMemberKind): Column<RoleMember>[] {
  const { t } = useTranslation()
  const name: Column<RoleMember> = {
    key: 'name',
    title: t(kind === 'user' ? 'role-member.name.user' : 'role.name'),
    render: (member) => member.name,
  }
  const code: Column<RoleMember> = {
    key: 'code',
    title: t(kind === 'user' ? 'role-member.code.user' : 'role.code'),
    sortable: true,
    render: (member) => member.code,
  }
  const added: Column<RoleMember>[] = [
    {
      key: 'addedAt',
      title: t('role-member.added-at'),
      sortable: true,
      render: ({ addedAt }) => (addedAt ? <Time value={addedAt} /> : '—'),
    },
    { key: 'addedBy', title: t('role-member.added-by'), render: ({ addedBy }) => addedBy ?? '—' },
  ]
  if (kind === 'category') return [name, code, ...added]
  const place = {
    key: 'place',
    title: t(`role-member.place.${kind}`),
    render: (member: RoleMember) => member.place ?? '—',
  }
  return [name, code, place, ...added]
}
