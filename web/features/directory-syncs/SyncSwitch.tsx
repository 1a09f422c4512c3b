import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { findSyncSwitch, updateSyncSwitch } from '#shared/contract/sync-switch.ts'
import { call } from '../../platform/api.ts'
import { failureText } from '../../platform/failure-text.ts'
import { refreshSyncs, SYNCS_KEY } from './sync-queries.ts'

const useSyncSwitch = () =>
  useQuery({
    queryKey: [SYNCS_KEY, 'switch'],
    queryFn: ({ signal }) => call(findSyncSwitch, { query: {} }, { signal }),
  })

/** Pauses or resumes all syncs. */
export function SyncSwitch() {
  const { t } = useTranslation()
  const { data } = useSyncSwitch()
  const change = useMutation({
    mutationFn: (isPaused: boolean) => call(updateSyncSwitch, { body: { isPaused } }),
    onSuccess: () => refreshSyncs(),
  })
  if (!data) return null
  return (
    <>
      <button
        type="button"
        className="button"
        aria-disabled={change.isPending || undefined}
        onClick={() => !change.isPending && change.mutate(!data.isPaused)}
      >
        {t(data.isPaused ? 'directory-sync.resume-all' : 'directory-sync.pause-all')}
      </button>
      {change.error && (
        <p className="field-error" role="alert">
          {failureText(change.error)}
        </p>
      )}
    </>
  )
}

/** Tells that all syncs are paused. */
export function PausedBanner() {
  const { t } = useTranslation()
  const { data } = useSyncSwitch()
  return data?.isPaused ? (
    <p className="banner" role="status">
      {t('directory-sync.paused')}
    </p>
  ) : null
}
