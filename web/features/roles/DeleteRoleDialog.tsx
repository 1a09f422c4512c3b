import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { deleteRole, type Role, roleImpact } from '#shared/contract/roles.ts'
import { type CallOutput, call } from '../../platform/api.ts'
import { useCount } from '../../platform/format-number.ts'
import { notify } from '../../platform/notices.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { NamedByRules } from '../../ui/NamedByRules.tsx'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { useSeenVersion } from '../../ui/use-seen-version.ts'
import { refreshRoles } from './role-queries.ts'

const KINDS = ['people', 'organizations', 'categories'] as const

/** Shows what is deleted along with a role. */
export function DeleteRoleDialog({ deleted, onClose }: { deleted: Role; onClose: () => void }) {
  const { t, i18n } = useTranslation()
  const { data, error, refetch } = useQuery({
    queryKey: ['role-impact', deleted.id, i18n.language],
    queryFn: ({ signal }) => call(roleImpact, { query: { id: deleted.id } }, { signal }),
    staleTime: 0,
  })
  const { name } = deleted
  const { inSeenVersion } = useSeenVersion<Role>(data?.version ?? 0, {
    reread: () => refetch(),
    text: () => t('conflict.delete'),
  })
  const remove = async () => {
    if (!data) return
    await inSeenVersion((version) => call(deleteRole, { query: { id: deleted.id }, body: { version } }))
    await refreshRoles()
    notify('well', t('role.deleted', { name }))
  }
  return (
    <ConfirmDialog
      title={t('role.delete.title', { name })}
      verb={t('role.delete')}
      isReady={data !== undefined}
      onConfirm={remove}
      onClose={onClose}
    >
      {data && <Impact impact={data} roleId={deleted.id} onLeave={onClose} />}
      {!data && (error ? <FailedBlock error={error} onRetry={() => void refetch()} /> : <Skeleton lines={3} />)}
    </ConfirmDialog>
  )
}

type ImpactProps = { impact: CallOutput<typeof roleImpact>; roleId: string; onLeave: () => void }

function Impact({ impact, roleId, onLeave }: ImpactProps) {
  const { t } = useTranslation()
  const number = useCount()
  const members = KINDS.flatMap((kind) => {
    const count = impact[kind]
    return count > 0 ? [t(`role.delete.${kind}`, { count, number: number(count) })] : []
  })
  const more = impact.applicationTotal > impact.applications.length ? ' …' : ''
  return (
    <>
      <p>
        {t('role.delete.reached', {
          count: impact.reached,
          number: number(impact.reached, impact.reachedIsLowerBound),
        })}
      </p>
      <p>
        {members.length === 0
          ? t('role.delete.no-members')
          : t('role.delete.members', { members: members.join(t('list.separator')) })}
      </p>
      <p>
        {impact.applicationTotal === 0
          ? t('role.delete.no-applications')
          : t('role.delete.applications', {
              count: impact.applicationTotal,
              names: impact.applications.join(t('list.separator')) + more,
            })}
      </p>
      <NamedByRules field="who.roles" values={[roleId]} onLeave={onLeave} />
    </>
  )
}
