import { useTranslation } from 'react-i18next'

/** The number to quote at the help desk about a record. */
export function RecordNumber({ id }: { id: string }) {
  const { t } = useTranslation()
  return (
    <dl>
      <div>
        <dt>{t('records.record-number')}</dt>
        <dd className="tabular">{id}</dd>
      </div>
    </dl>
  )
}
