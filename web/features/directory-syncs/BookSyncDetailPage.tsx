import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { bookSyncs, listBookRuns, startBookSync } from '#shared/contract/address-books.ts'
import { call } from '../../platform/api.ts'
import { notify } from '../../platform/notices.ts'
import { isRefusal } from '../../platform/refusal.ts'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { PAGE_TITLE, PageTitle } from '../../ui/PageTitle.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { RunColumns } from './RunColumns.tsx'
import { isUnderWay, POLL_MS } from './RunState.tsx'
import { BOOK_RUN_CALLS } from './run-calls.ts'
import { PausedBanner } from './SyncSwitch.tsx'
import { refreshSyncs, SYNCS_KEY } from './sync-queries.ts'
import './directory-syncs.css'

/** The runs of a sync of an address book: what each would write or wrote there, and what waits for a decision. */
export function BookSyncDetailPage() {
  const { t, i18n } = useTranslation()
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const [chosen, setChosen] = useState<string | null>(null)
  const sync = useQuery({
    queryKey: [SYNCS_KEY, 'book', id],
    queryFn: ({ signal }) => call(bookSyncs.details, { query: { id } }, { signal }),
  })
  const runs = useQuery({
    queryKey: [SYNCS_KEY, 'book-runs', id, i18n.language],
    queryFn: ({ signal }) => call(listBookRuns, { query: { syncId: id } }, { signal }),
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
          <Link to="/manage/exterPhone-sync">{t('book-sync.back')}</Link>
          <p className="muted">{t(`book-sync.leavers.${sync.data.leavers}`)}</p>
        </div>
        <StartVerbs id={id} isBusy={records.some((run) => isUnderWay(run.state))} onStarted={setChosen} />
      </header>
      <PausedBanner />
      <RunColumns runs={records} calls={BOOK_RUN_CALLS} chosen={chosen} onChoose={setChosen} />
    </section>
  )
}

function StartVerbs({ id, isBusy, onStarted }: { id: string; isBusy: boolean; onStarted: (id: string) => void }) {
  const { t } = useTranslation()
  const start = useMutation({
    mutationFn: (dryRun: boolean) => call(startBookSync, { query: { id }, body: { dryRun } }),
    async onSuccess(run) {
      notify('well', t('directory-sync.started'))
      onStarted(run.id)
      await refreshSyncs()
    },
  })
  const isHeld = isBusy || start.isPending
  return (
    <div className="sync-start">
      {[true, false].map((dryRun) => (
        <button
          key={String(dryRun)}
          type="button"
          className={dryRun ? 'button' : 'button button-primary'}
          aria-disabled={isHeld || undefined}
          onClick={() => !isHeld && start.mutate(dryRun)}
        >
          {dryRun ? t('directory-sync.try') : t('directory-sync.run')}
        </button>
      ))}
      {start.error && (
        <p className="field-error" role="alert">
          {isRefusal(start.error) ? start.error.message : t('network.unreachable')}
        </p>
      )}
    </div>
  )
}
