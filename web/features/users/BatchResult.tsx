import type { UseQueryResult } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { BatchAnswer } from '#shared/contract/user-verbs.ts'
import { isRefusal } from '../../platform/refusal.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import './users.css'

const MAX_SHOWN = 5

/** Who would be changed. */
export function Preview({ query }: { query: UseQueryResult<BatchAnswer> }) {
  const { t } = useTranslation()
  const { data, error } = query
  if (error) {
    return (
      <p className="field-error" role="alert">
        {isRefusal(error) ? error.message : t('network.unreachable')}
      </p>
    )
  }
  if (!data) {
    return (
      <p className="muted" role="status">
        {t('state.loading')}
      </p>
    )
  }
  return (
    <div role="status" className="person-preview">
      <ul>
        {(data.changed > 0 || data.refusedCount === 0) && (
          <li>{t('person.preview.changed', { count: data.changed })}</li>
        )}
        {data.unchanged > 0 && <li className="muted">{t('person.preview.unchanged', { count: data.unchanged })}</li>}
        {data.refusedCount > 0 && <li>{t('person.preview.refused', { count: data.refusedCount })}</li>}
      </ul>
      {data.refusedCount > 0 && <RefusedList answer={data} most={MAX_SHOWN} />}
    </div>
  )
}

/** The first people who were skipped, each with the reason. */
export function RefusedList({ answer, most }: { answer: Pick<BatchAnswer, 'refused' | 'refusedCount'>; most: number }) {
  const { t } = useTranslation()
  const shown = answer.refused.slice(0, most)
  return (
    <ul className="person-refused">
      {shown.map(({ id, name, account, message }) => (
        <li key={id}>
          <strong>{`${name} ${account}`.trim() || t('person.somebody')}</strong> {message}
        </li>
      ))}
      {answer.refusedCount > shown.length && (
        <li className="muted">{t('person.and-more', { count: answer.refusedCount - shown.length })}</li>
      )}
    </ul>
  )
}

/** Who was skipped, and why. */
export function ResultDialog({ answer, onClose }: { answer: BatchAnswer; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog
      title={t('person.result', { count: answer.refusedCount })}
      onClose={onClose}
      actions={
        <button type="button" className="button button-primary" data-first-focus onClick={onClose}>
          {t('action.close')}
        </button>
      }
    >
      <p>{t('person.preview.changed-done', { count: answer.changed })}</p>
      <RefusedList answer={answer} most={answer.refused.length} />
    </Dialog>
  )
}
