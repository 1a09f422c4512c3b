import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { directorySyncs } from '#shared/contract/directory-syncs.ts'
import { call } from '../../platform/api.ts'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { OrgSyncPage } from './OrgSyncPage.tsx'
import { SyncForm } from './SyncForm.tsx'
import { SYNCS_KEY } from './sync-queries.ts'

/** The form of a sync, with its departments and people, at an address of its own; closing it leads to the list. */
export function AgencySyncEditPage() {
  const { sync: id = '' } = useSearch({ strict: false }) as { sync?: string }
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery({
    queryKey: [SYNCS_KEY, 'directory', id],
    queryFn: ({ signal }) => call(directorySyncs.details, { query: { id } }, { signal }),
  })
  if (!data) return error ? <FailedBlock error={error} onRetry={() => void refetch()} /> : <Skeleton lines={8} />
  return (
    <>
      <OrgSyncPage />
      <SyncForm edited={data} onClose={() => void navigate({ to: '/manage/org-sync' })} />
    </>
  )
}
