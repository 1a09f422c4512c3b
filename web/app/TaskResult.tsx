import { useTranslation } from 'react-i18next'
import type { BackgroundTask } from '#shared/contract/background-tasks.ts'
import { EndingResult } from '#shared/contract/organization-endings.ts'
import { RemovedMembers } from '#shared/contract/roles.ts'
import { BatchResult } from '#shared/contract/user-verbs.ts'
import { RefusedList } from '../features/users/BatchResult.tsx'
import { useCount } from '../platform/format-number.ts'

/** The result of a task, including the people it skipped, with the reasons. */
export function TaskResult({ task }: { task: BackgroundTask }) {
  const text = useResultText()
  const batch = BatchResult.safeParse(task.result).data
  return (
    <div role={task.error ? 'alert' : 'status'}>
      {text(task).map((line) => (
        <p key={line}>{line}</p>
      ))}
      {batch && batch.refusedCount > 0 && <RefusedList answer={batch} most={batch.refused.length} />}
    </div>
  )
}

/** The result as sentences, for a notice. */
export function useResultText(): (task: BackgroundTask) => string[] {
  const { t } = useTranslation()
  const number = useCount()
  const endingText = ({ name, into, people, gone }: EndingResult): string[] => {
    if (!gone) return [t('organization.ending-stopped', { name, count: people })]
    const done = into ? t('organization.merged', { name, target: into.name }) : t('organization.deleted', { name })
    return people > 0 ? [done, t('organization.went-over', { count: people })] : [done]
  }
  const resultText = (result: unknown): string[] => {
    const batch = BatchResult.safeParse(result).data
    if (batch) return [t('person.preview.changed-done', { count: batch.changed })]
    const removed = RemovedMembers.safeParse(result).data
    return removed ? [t('role-member.removed', { count: removed.changed })] : []
  }
  return ({ result, error, state, ...task }) => {
    const [done, total] = [number(task.done), number(task.total)]
    if (error) return task.done > 0 ? [error.message, t('task.kept', { done, total })] : [error.message]
    const ending = EndingResult.safeParse(result).data
    if (ending) return endingText(ending)
    return [t(state === 'cancelled' ? 'task.stopped' : 'task.finished', { done, total }), ...resultText(result)]
  }
}
