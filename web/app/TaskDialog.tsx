import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { type BackgroundTask, taskDetails } from '#shared/contract/background-tasks.ts'
import { TaskProgress } from '../features/background-tasks/TaskProgress.tsx'
import { call } from '../platform/api.ts'
import { queryClient } from '../platform/queries.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { Waiting } from '../ui/PageSkeleton.tsx'

const KEY = 'background-task'
const EVERY_MS = 1000

/** How far a change of many people is; closing it stops nothing. */
export function TaskDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation()
  const { data: task, refetch } = useQuery({
    queryKey: [KEY, id],
    queryFn: ({ signal, client }) => {
      const background = client.getQueryData([KEY, id]) !== undefined
      return call(taskDetails, { query: { id } }, { signal, background })
    },
    refetchInterval: ({ state }) => (state.data?.finishedAt ? false : EVERY_MS),
  })
  const hasEnded = task ? task.finishedAt !== null : false
  useEffect(() => {
    if (hasEnded) void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== KEY })
  }, [hasEnded])
  const label = t('task.user.batch-change')
  return (
    <Dialog
      title={label}
      onClose={onClose}
      actions={
        <button type="button" className="button button-primary" data-first-focus onClick={onClose}>
          {t('action.close')}
        </button>
      }
    >
      {!task && <Waiting lines={3} />}
      {task && hasEnded && <Ended task={task} />}
      {task && !hasEnded && (
        <TaskProgress label={label} task={task} stopLabel={t('task.stop')} onStopped={() => refetch()} />
      )}
    </Dialog>
  )
}

function Ended({ task }: { task: BackgroundTask }) {
  const { t } = useTranslation()
  const { done, total, state, error } = task
  if (error) return <p role="alert">{error.message}</p>
  return <p role="status">{t(state === 'cancelled' ? 'task.stopped' : 'task.finished', { done, total })}</p>
}
