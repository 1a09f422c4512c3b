import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type DirectorySync,
  directorySyncs,
  listSyncRuns,
  resetSyncCursor,
  startSync,
} from '#shared/contract/directory-syncs.ts'
import { call } from '../../platform/api.ts'
import { notify } from '../../platform/notices.ts'
import { isRefusal } from '../../platform/refusal.ts'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { PAGE_TITLE, PageTitle } from '../../ui/PageTitle.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { MatchQueue } from './MatchQueue.tsx'
import { RunColumns } from './RunColumns.tsx'
import { isUnderWay, POLL_MS } from './RunState.tsx'
import { SYNC_RUN_CALLS } from './run-calls.ts'
import { refreshSyncs, SYNCS_KEY } from './sync-queries.ts'
import './directory-syncs.css'

/** The runs of a sync: what each would do or did, and what waits for a decision. */
export function OrgSyncDetailPage() {
  const { t, i18n } = useTranslation()
  const { sync: id = '' } = useSearch({ strict: false }) as { sync?: string }
  const [chosen, setChosen] = useState<string | null>(null)
  const sync = useQuery({
    queryKey: [SYNCS_KEY, 'details', id],
    queryFn: ({ signal }) => call(directorySyncs.details, { query: { id } }, { signal }),
  })
  const runs = useQuery({
    queryKey: [SYNCS_KEY, 'runs', id, i18n.language],
    queryFn: ({ signal }) => call(listSyncRuns, { query: { syncId: id } }, { signal }),
    refetchInterval: ({ state }) => (state.data?.records.some((run) => isUnderWay(run.state)) ? POLL_MS : false),
  })
  const error = sync.error ?? runs.error
  if (error) return <FailedBlock error={error} onRetry={() => void Promise.all([sync.refetch(), runs.refetch()])} />
  if (!sync.data || !runs.data) return <Skeleton lines={8} />
  const { records } = runs.data
  return (
    <section className="sync-page" aria-labelledby={PAGE_TITLE}>
      <header className="sync-head">
        <div>
          <PageTitle>{t('directory-sync.runs-one', { name: sync.data.name })}</PageTitle>
          <Link to="/manage/org-sync">{t('directory-sync.back')}</Link>
          {sync.data.cursor !== null && <Cursor sync={sync.data} />}
        </div>
        <StartVerbs sync={sync.data} isBusy={records.some((run) => isUnderWay(run.state))} onStarted={setChosen} />
      </header>
      <MatchQueue syncId={id} runId={records[0]?.id ?? ''} />
      <RunColumns runs={records} calls={SYNC_RUN_CALLS} chosen={chosen} onChoose={setChosen} />
    </section>
  )
}

/** How far the last applied run saw. */
function Cursor({ sync }: { sync: DirectorySync }) {
  const { t } = useTranslation()
  const reset = async () => {
    await call(resetSyncCursor, { query: { id: sync.id }, body: {} })
    await refreshSyncs()
  }
  return (
    <p className="sync-line muted">
      {t('directory-sync.cursor', { column: sync.cursorColumn ?? '', value: sync.cursor ?? '' })}
      <button type="button" className="button button-quiet" onClick={() => void reset()}>
        {t('directory-sync.cursor-reset')}
      </button>
    </p>
  )
}

type StartProps = { sync: DirectorySync; isBusy: boolean; onStarted: (id: string) => void }

function StartVerbs({ sync, isBusy, onStarted }: StartProps) {
  const { t } = useTranslation()
  const start = useMutation({
    mutationFn: (body: { dryRun: boolean; incremental?: boolean }) => call(startSync, { query: { id: sync.id }, body }),
    async onSuccess(run) {
      notify('well', t('directory-sync.started'))
      onStarted(run.id)
      await refreshSyncs()
    },
  })
  const verb = (body: { dryRun: boolean; incremental?: boolean }, label: string) => (
    <button
      type="button"
      className={body.dryRun || body.incremental ? 'button' : 'button button-primary'}
      aria-disabled={isBusy || start.isPending || undefined}
      onClick={() => !isBusy && !start.isPending && start.mutate(body)}
    >
      {label}
    </button>
  )
  return (
    <div className="sync-start">
      {verb({ dryRun: true }, t('directory-sync.try'))}
      {sync.cursor !== null && verb({ dryRun: false, incremental: true }, t('directory-sync.run-changes'))}
      {verb({ dryRun: false }, t('directory-sync.run'))}
      {start.error && (
        <p className="field-error" role="alert">
          {isRefusal(start.error) ? start.error.message : t('network.unreachable')}
        </p>
      )}
    </div>
  )
}
