import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../platform/failure-text.ts'
import { notify } from '../../platform/notices.ts'
import { useOnChange } from '../../platform/use-on-change.ts'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { PAGE_TITLE, PageTitle } from '../../ui/PageTitle.tsx'
import { FailedBlock, isNotFound, NotFoundCard } from '../../ui/StateBlock.tsx'
import { RunColumns } from './RunColumns.tsx'
import { isUnderWay, POLL_MS } from './RunState.tsx'
import type { RunCalls } from './run-calls.ts'
import { PausedBanner } from './SyncSwitch.tsx'
import type { ShownRun } from './shown-run.types.ts'
import { refreshSyncs, SYNCS_KEY } from './sync-queries.ts'

/** How a run is started. */
type Start = { dryRun: boolean; incremental?: boolean }

type Props<Sync> = {
  id: string
  /** `BookSync` or `DirectorySync`: separates their cached queries. */
  kind: 'book' | 'directory'
  load: (signal: AbortSignal) => Promise<Sync>
  /** To the list, when there is no such sync. */
  onBack: () => void
  /** The run to show first; absent: the newest. */
  linked?: string | undefined
  loadRuns: (options: { signal: AbortSignal; background: boolean }) => Promise<readonly ShownRun[]>
  callsOf: (sync: Sync) => RunCalls
  start: (how: Start) => Promise<{ id: string }>
  /** Below the title: the link back to the list, and facts about the sync. */
  about: (sync: Sync) => ReactNode
  /** Does the sync support incremental runs? */
  reportsChanges?: (sync: Sync) => boolean
  /** Whether runs may write, only plan, or not be started at all; absent: write. */
  modeOf?: (sync: Sync) => 'on' | 'preview' | 'off'
  /** Above the runs. */
  children?: (runs: readonly ShownRun[]) => ReactNode
}

/** The runs of a sync: what each would do or did, and what waits for a decision. */
export function SyncRuns<Sync extends { name: string }>(props: Props<Sync>) {
  const { id, kind, linked, load, onBack, loadRuns, callsOf, start, about, reportsChanges, modeOf, children } = props
  const { t, i18n } = useTranslation()
  const [chosen, setChosen] = useState<string | null>(linked ?? null)
  const [isStarting, setStarting] = useState(false)
  const [started, setStarted] = useState<string | null>(null)
  const sync = useQuery({ queryKey: [SYNCS_KEY, kind, id], queryFn: ({ signal }) => load(signal) })
  // Ids ascend: one that was just started is missing until the list is read again.
  const isMissing = (known: readonly ShownRun[] | undefined) =>
    started !== null && known !== undefined && !known.some((run) => run.id >= started)
  const runsKey = [SYNCS_KEY, kind, 'runs', id, linked, i18n.language]
  const runs = useQuery({
    queryKey: runsKey,
    queryFn: ({ signal, client }) => loadRuns({ signal, background: client.getQueryData(runsKey) !== undefined }),
    refetchInterval: ({ state }) =>
      isMissing(state.data) || state.data?.some((run) => isUnderWay(run.state)) ? POLL_MS : false,
  })
  const newest = runs.data?.[0]
  // Whenever the newest run is another one, also the first of all, or goes on: it moves the cursor.
  useOnChange(runs.data && `${newest?.id} ${newest?.state}`, sync.refetch)
  if (isNotFound(sync.error)) return <NotFoundCard title={t('directory-sync.runs')} onBack={onBack} />
  if (!sync.data || !runs.data) {
    const error = sync.error ?? runs.error
    if (!error) return <Skeleton lines={8} />
    return <FailedBlock error={error} onRetry={() => void Promise.all([sync.refetch(), runs.refetch()])} />
  }
  // Whoever chooses a run meanwhile sees it, and so does everybody while the list can't be read.
  const isAwaited = chosen === null && !runs.isError && (isStarting || isMissing(runs.data))
  return (
    <section className="sync-page" aria-labelledby={PAGE_TITLE}>
      <header className="sync-head">
        <div>
          <PageTitle>{t('directory-sync.runs-one', { name: sync.data.name })}</PageTitle>
          {about(sync.data)}
        </div>
        <StartVerbs
          start={start}
          mode={modeOf?.(sync.data) ?? 'on'}
          reportsChanges={reportsChanges?.(sync.data) ?? false}
          isBusy={runs.data.some((run) => isUnderWay(run.state))}
          onStarting={(isBegun) => {
            // The newest run is shown: the run of people follows that of their departments.
            if (isBegun) setChosen(null)
            setStarting(isBegun)
          }}
          onStarted={setStarted}
        />
      </header>
      <PausedBanner />
      {children?.(runs.data)}
      <RunColumns
        runs={runs.data}
        calls={callsOf(sync.data)}
        chosen={chosen}
        isAwaited={isAwaited}
        onChoose={setChosen}
      />
    </section>
  )
}

type StartProps = Pick<Props<never>, 'start'> & {
  mode: 'on' | 'preview' | 'off'
  reportsChanges: boolean
  isBusy: boolean
  onStarting: (isStarting: boolean) => void
  onStarted: (id: string) => void
}

function StartVerbs({ start, mode, reportsChanges, isBusy, onStarting, onStarted }: StartProps) {
  const { t } = useTranslation()
  const { mutate, isPending, error } = useMutation({
    mutationFn: start,
    onMutate: () => onStarting(true),
    onSettled: () => onStarting(false),
    async onSuccess(run) {
      notify('well', t('directory-sync.started'))
      onStarted(run.id)
      await refreshSyncs()
    },
  })
  const isHeld = isBusy || isPending
  if (mode === 'off') return null
  const verb = (how: Start, label: string) => (
    <button
      type="button"
      className={how.dryRun || how.incremental ? 'button' : 'button button-primary'}
      aria-disabled={isHeld || undefined}
      onClick={() => !isHeld && mutate(how)}
    >
      {label}
    </button>
  )
  return (
    <div className="sync-start">
      {verb({ dryRun: true }, t('directory-sync.try'))}
      {reportsChanges && verb({ dryRun: false, incremental: true }, t('directory-sync.run-changes'))}
      {mode === 'on' && verb({ dryRun: false }, t('directory-sync.run'))}
      {error && (
        <p className="field-error" role="alert">
          {failureText(error)}
        </p>
      )}
    </div>
  )
}
