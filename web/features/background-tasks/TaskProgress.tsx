import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { cancelTask } from '#shared/contract/background-tasks.ts'
import { call } from '../../platform/api.ts'
import { useCount } from '../../platform/format-number.ts'
import { notifyFailure } from '../../platform/notify-failure.ts'
import './task-progress.css'

type Props = {
  /** The name of the work. */
  label: string
  task: { id: string; done: number; total: number; state: string }
  /** Absent: can't be stopped. */
  stopLabel?: string
  onStopped?: () => unknown
}

/** Announced at every tenth only, so that a screen reader can say other things in between. */
const STEP = 10

/** Progress of background work; leaving the page does not stop it. */
export function TaskProgress({ label, task, stopLabel, onStopped }: Props) {
  const { t } = useTranslation()
  const number = useCount()
  const percent = task.total > 0 ? Math.min(100, Math.floor((task.done / task.total) * 100)) : 0
  const stop = useMutation({
    mutationFn: () => call(cancelTask, { query: { id: task.id } }),
    onError: notifyFailure,
    onSettled: () => onStopped?.(),
  })
  const isStopping = stop.isPending || stop.isSuccess
  const waits = task.state === 'queued'
  return (
    <div className="task-progress">
      <div className="task-progress-line">
        <strong>{label}</strong>
        <span className="muted tabular">
          {waits
            ? t('task.waiting')
            : t('task.progress', { done: number(task.done), total: number(task.total), percent })}
        </span>
      </div>
      <progress max={100} value={waits ? 0 : percent} aria-label={label} />
      <p className="visually-hidden" aria-live="polite">
        {t('task.spoken', { label, percent: Math.floor(percent / STEP) * STEP })}
      </p>
      <div className="task-progress-line">
        <span className="muted">{t('task.goes-on')}</span>
        {stopLabel && (
          <button
            type="button"
            className="button"
            aria-disabled={isStopping}
            onClick={() => isStopping || stop.mutate()}
          >
            {stop.isSuccess ? t('task.stopping') : stopLabel}
          </button>
        )}
      </div>
    </div>
  )
}
