import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { deleteRole, type Role, roleImpact } from '#shared/contract/roles.ts'
import { call } from '../../platform/api.ts'
import { useCount } from '../../platform/format-number.ts'
import { notify } from '../../platform/notices.ts'
import { isRefusal, Refusal } from '../../platform/refusal.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { NamedByRules } from '../../ui/NamedByRules.tsx'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { refreshRoles } from './role-queries.ts'

const KINDS = ['people', 'organizations', 'categories'] as const

/** Shows what is deleted along with a role. */
export function DeleteRoleDialog({ deleted, onClose }: { deleted: Role; onClose: () => void }) {
  const { t, i18n } = useTranslation()
  const { data, refetch } = useQuery({
    queryKey: ['role-impact', deleted.id, i18n.language],
    queryFn: ({ signal }) => call(roleImpact, { query: { id: deleted.id } }, { signal }),
    staleTime: 0,
  })
  const number = useCount()
  const { name } = deleted
  const remove = async () => {
    if (!data) return
    try {
      await call(deleteRole, { query: { id: deleted.id }, body: { version: data.version } })
    } catch (error) {
      if (!isRefusal(error, 'version.conflict')) throw error
      // The next try is for what is shown then.
      await refetch()
      throw new Refusal(error.state, error.code, t('conflict.delete'), { requestId: error.requestId })
    }
    await refreshRoles()
    notify('well', t('role.deleted', { name }))
  }
  const members = KINDS.flatMap((kind) => {
    const count = data?.[kind] ?? 0
    return count > 0 ? [t(`role.delete.${kind}`, { count, number: number(count) })] : []
  })
  const more = data && data.applicationTotal > data.applications.length ? ' …' : ''
  return (
    <ConfirmDialog
      title={t('role.delete.title', { name })}
      verb={t('role.delete')}
      onConfirm={remove}
      onClose={onClose}
    >
      {data ? (
        <>
          <p>
            {t('role.delete.reached', {
              count: data.reached,
              number: number(data.reached, data.reachedIsLowerBound),
            })}
          </p>
          <p>
            {members.length === 0
              ? t('role.delete.no-members')
              : t('role.delete.members', { members: members.join(t('list.separator')) })}
          </p>
          <p>
            {data.applicationTotal === 0
              ? t('role.delete.no-applications')
              : t('role.delete.applications', {
                  count: data.applicationTotal,
                  names: data.applications.join(t('list.separator')) + more,
                })}
          </p>
          <NamedByRules field="who.roles" values={[deleted.id]} onLeave={onClose} />
        </>
      ) : (
        <Skeleton lines={3} />
      )}
    </ConfirmDialog>
  )
}
