import { useTranslation } from 'react-i18next'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { Time } from '../../ui/Time.tsx'
import { RunState } from './RunState.tsx'
import { RunView } from './RunView.tsx'
import type { RunCalls } from './run-calls.ts'
import type { ShownRun } from './shown-run.types.ts'

/** A plan that was applied after all is a run like any other. */
const isDryRun = ({ dryRun, decidedBy, state }: ShownRun): boolean =>
  dryRun && (decidedBy === null || state === 'discarded')

type Props = {
  runs: readonly ShownRun[]
  calls: RunCalls
  chosen: string | null
  /** A new run is not in the list yet: the one before must not be taken for it. */
  isAwaited: boolean
  onChoose: (id: string) => void
}

/** The list of a sync's runs beside the selected one. */
export function RunColumns({ runs, calls, chosen, isAwaited, onChoose }: Props) {
  const { t } = useTranslation()
  const shown = isAwaited ? undefined : (runs.find((run) => run.id === chosen) ?? runs[0])
  const areBoth =
    runs.some(({ objects }) => objects === 'departments') && runs.some(({ objects }) => objects === 'people')
  if (runs.length === 0) return <p className="card sync-empty">{t('directory-sync.no-runs')}</p>
  return (
    <div className="sync-columns">
      <nav className="card sync-runs" aria-label={t('directory-sync.runs')}>
        <ul>
          {runs.map((run) => (
            <li key={run.id}>
              <button type="button" aria-current={run.id === shown?.id || undefined} onClick={() => onChoose(run.id)}>
                <Time value={run.startedAt} />
                <RunState state={run.state} />
                {areBoth && run.objects && <span className="muted">{t(`directory-sync.objects.${run.objects}`)}</span>}
                {isDryRun(run) && <span className="muted">{t('directory-sync.dry')}</span>}
              </button>
            </li>
          ))}
        </ul>
      </nav>
      {shown ? (
        <RunView key={shown.id} run={shown} calls={calls} />
      ) : (
        <div className="card sync-run">
          <Skeleton lines={6} />
        </div>
      )}
    </div>
  )
}
