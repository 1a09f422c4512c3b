import { useTranslation } from 'react-i18next'
import { copyText } from '../platform/copy-text.ts'

/** The request id for the help desk; the server's log has the same. */
export function RequestNumber({ id }: { id: string }) {
  const { t } = useTranslation()
  return (
    <p className="muted tabular">
      {t('prompt.request-id', { id })}{' '}
      <button type="button" className="button button-quiet" onClick={() => void copyText(id)}>
        {t('action.copy')}
      </button>
    </p>
  )
}
