import { useTranslation } from 'react-i18next'
import { Time } from '../../ui/Time.tsx'
import { RunState } from './RunState.tsx'
import { RunView, type ShownRun } from './RunView.tsx'
import type { RunCalls } from './run-calls.ts'

type Props = { runs: readonly ShownRun[]; calls: RunCalls; chosen: string | null; onChoose: (id: string) => void }

/** The list of a sync's runs beside the selected one. */
export function RunColumns({ runs, calls, chosen, onChoose }: Props) {
  const { t } = useTranslation()
  const shown = runs.find((run) => run.id === chosen) ?? runs[0]
  if (!shown) return <p className="card sync-empty">{t('directory-sync.no-runs')}</p>
  return (
    <div className="sync-columns">
      <nav className="card sync-runs" aria-label={t('directory-sync.runs')}>
        <ul>
          {runs.map((run) => (
            <li key={run.id}>
              <button type="button" aria-current={run.id === shown.id || undefined} onClick={() => onChoose(run.id)}>
                <Time value={run.startedAt} />
                <RunState state={run.state} />
                {run.dryRun && <span className="muted">{t('directory-sync.dry')}</span>}
              </button>
            </li>
          ))}
        </ul>
      </nav>
      <RunView key={shown.id} run={shown} calls={calls} />
    </div>
  )
}
