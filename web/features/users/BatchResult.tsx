import type { UseQueryResult } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { BatchAnswer } from '#shared/contract/user-verbs.ts'
import { failureText } from '../../platform/failure-text.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import type { UserVerb } from './VerbFields.tsx'
import './users.css'

const MAX_SHOWN = 5

/** Where the texts about an action begin: who is notified is not changed. */
const textsOf = (verb: UserVerb | undefined) => (verb === 'notify' ? 'person.notified' : 'person.preview')

/** Who would be changed. */
export function Preview({ verb, query }: { verb: UserVerb; query: UseQueryResult<BatchAnswer> }) {
  const { t } = useTranslation()
  const { data, error } = query
  if (error) {
    return (
      <p className="field-error" role="alert">
        {failureText(error)}
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
  const texts = textsOf(verb)
  return (
    <div role="status" className="person-preview">
      <ul>
        {(data.changed > 0 || data.refusedCount === 0) && <li>{t(`${texts}.changed`, { count: data.changed })}</li>}
        {data.unchanged > 0 && <li className="muted">{t(`${texts}.unchanged`, { count: data.unchanged })}</li>}
        {data.refusedCount > 0 && <li>{t(`${texts}.refused`, { count: data.refusedCount })}</li>}
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
export function ResultDialog({ verb, answer, onClose }: { verb?: UserVerb; answer: BatchAnswer; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog
      title={t(verb === 'notify' ? 'person.notified.result' : 'person.result', { count: answer.refusedCount })}
      onClose={onClose}
      actions={
        <button type="button" className="button button-primary" data-first-focus onClick={onClose}>
          {t('action.close')}
        </button>
      }
    >
      <p>{t(`${textsOf(verb)}.changed-done`, { count: answer.changed })}</p>
      <RefusedList answer={answer} most={answer.refused.length} />
    </Dialog>
  )
}
