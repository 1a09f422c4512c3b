import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { type BackgroundTask, taskDetails } from '#shared/contract/background-tasks.ts'
import { TaskProgress } from '../features/background-tasks/TaskProgress.tsx'
import { call } from '../platform/api.ts'
import { translateOr } from '../platform/i18n.ts'
import { notify } from '../platform/notices.ts'
import { queryClient } from '../platform/queries.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { Skeleton } from '../ui/PageSkeleton.tsx'
import { TaskResult, useResultText } from './TaskResult.tsx'

const TASK_KEY = 'background-task'
const POLL_INTERVAL_MS = 1000

type Props = {
  id: string
  /** False: the task is only followed, and a notice reports its end. */
  isOpen?: boolean
  onClose: () => void
  onEnded?: (task: BackgroundTask) => void
}

/** Progress and result of a background task; closing the dialog does not stop it. */
export function TaskDialog({ id, isOpen = true, onClose, onEnded }: Props) {
  const { t } = useTranslation()
  const { task, hasEnded, refetch } = useTask(id, isOpen, onEnded)
  if (!isOpen) return null
  const label = translateOr(`task.${task?.kind}`, 'task.any')
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
      {!task && <Skeleton lines={3} />}
      {task && hasEnded && <TaskResult task={task} />}
      {task && !hasEnded && (
        <TaskProgress label={label} task={task} stopLabel={t('task.stop')} onStopped={() => refetch()} />
      )}
    </Dialog>
  )
}

/** Polls the task until it has ended, then invalidates all queries, because the task may have changed anything. */
function useTask(id: string, isOpen: boolean, onEnded: Props['onEnded']) {
  const resultText = useResultText()
  const { data: task, refetch } = useQuery({
    queryKey: [TASK_KEY, id],
    queryFn: ({ signal, client }) => {
      const background = client.getQueryData([TASK_KEY, id]) !== undefined
      return call(taskDetails, { query: { id } }, { signal, background })
    },
    refetchInterval: ({ state }) => (state.data?.finishedAt ? false : POLL_INTERVAL_MS),
  })
  const hasEnded = task ? task.finishedAt !== null : false
  const end = useEffectEvent(() => {
    if (!task) return
    onEnded?.(task)
    if (!isOpen) notify(task.error ? 'danger' : 'well', resultText(task).join(' · '))
    void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== TASK_KEY })
  })
  useEffect(() => {
    if (hasEnded) end()
  }, [hasEnded])
  return { task, hasEnded, refetch }
}
